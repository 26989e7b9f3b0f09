import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { newName, pathBelow, type RootFolder, removeFile, type SafePath } from '../kit/safe-path.ts'
import { directoryRecord, endOfArchive, localHeader } from '../media/public.ts'
import type { Storage } from '../storage/storage.ts'

// A ZIP of an export is laid out once and then never changes, so that a download can go on anywhere in it. Its bytes are those of stored
// originals, and in between what only the ZIP has: headers, sidecars and its directory. That is stored as one object (`part-1.bin`), with a list
// of where in the ZIP the stored objects are (`part-1.jsonl`); everything else in the ZIP is the next bytes of the first.

export interface ZippedEntry {
  path: string
  wallClock: number
  crc: number
  content: { key: string; size: number } | { text: Buffer }
}

const keyOfPart = (exportId: number, part: number, extension: 'bin' | 'jsonl') =>
  `exports/${exportId}/part-${part}.${extension}`

const WRITE_AT_ONCE = 1024 * 1024

/** Writes to the end of a file, some at a time. */
class Appender {
  readonly #handle: FileHandle
  #waiting: Buffer[] = []
  #size = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async add(bytes: Buffer): Promise<void> {
    this.#waiting.push(bytes)
    this.#size += bytes.length
    if (this.#size >= WRITE_AT_ONCE) await this.flush()
  }

  async flush(): Promise<void> {
    await this.#handle.appendFile(Buffer.concat(this.#waiting))
    this.#waiting = []
    this.#size = 0
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#handle.close()
  }
}

interface OpenPart {
  number: number
  paths: Record<'bin' | 'jsonl' | 'directory', SafePath>
  offset: number
  entries: number
  directorySize: number
  literals: Appender
  references: Appender
  directory: Appender
}

/** Distributes files to ZIPs of about one size, in temporary files until a part is full. */
export class PartWriter {
  readonly #options: { folder: RootFolder; storage: Storage; exportId: number; partBytes: number }
  readonly sizes: number[] = []
  #part: OpenPart | undefined

  constructor(options: { folder: RootFolder; storage: Storage; exportId: number; partBytes: number }) {
    this.#options = options
  }

  /** Files that belong together are in one part. One that is larger than a part has a part of its own. */
  async add(group: readonly ZippedEntry[]): Promise<void> {
    const needed = group.reduce((sum, entry) => sum + sizeOf(entry) + 2 * recordOf(entry, 0).length, 0)
    const part = this.#part
    if (part && part.offset + part.directorySize + needed > this.#options.partBytes) await this.finish()
    this.#part ??= await this.#open()
    for (const entry of group) await append(this.#part, entry)
  }

  async finish(): Promise<void> {
    const part = this.#part
    if (!part) return
    this.#part = undefined
    const { offset, entries, directorySize } = part
    await part.directory.close()
    for await (const chunk of createReadStream(part.paths.directory)) await part.literals.add(chunk)
    await part.literals.add(endOfArchive({ entries, offset, size: directorySize }))
    await part.literals.close()
    await part.references.close()
    const { storage, exportId } = this.#options
    for (const extension of ['bin', 'jsonl'] as const) {
      await storage.putFile(keyOfPart(exportId, part.number, extension), part.paths[extension])
    }
    await removeFile(part.paths.directory)
    this.sizes.push(offset + directorySize + endOfArchive({ entries, offset, size: directorySize }).length)
  }

  async #open(): Promise<OpenPart> {
    const number = this.sizes.length + 1
    const { folder } = this.#options
    const newPath = () => pathBelow(folder, newName())
    const paths = { bin: newPath(), jsonl: newPath(), directory: newPath() }
    const appender = async (path: SafePath) => new Appender(await open(path, 'wx', 0o600))
    return {
      ...{ number, paths, offset: 0, entries: 0, directorySize: 0 },
      literals: await appender(paths.bin),
      references: await appender(paths.jsonl),
      directory: await appender(paths.directory),
    }
  }
}

const zipEntryOf = ({ path, wallClock, crc, content }: ZippedEntry) => ({
  ...{ name: path, wallClock, crc },
  size: 'key' in content ? content.size : content.text.length,
})
const recordOf = (entry: ZippedEntry, offset: number) => directoryRecord(zipEntryOf(entry), { crc: entry.crc, offset })
const sizeOf = (entry: ZippedEntry) => localHeader(zipEntryOf(entry)).length + zipEntryOf(entry).size

async function append(part: OpenPart, entry: ZippedEntry): Promise<void> {
  const { content } = entry
  const record = recordOf(entry, part.offset)
  await part.directory.add(record)
  part.directorySize += record.length
  part.entries += 1
  const header = localHeader(zipEntryOf(entry))
  await part.literals.add(header)
  part.offset += header.length
  if ('text' in content) {
    await part.literals.add(content.text)
    part.offset += content.text.length
  } else {
    await part.references.add(Buffer.from(`${JSON.stringify([part.offset, content.size, content.key])}\n`))
    part.offset += content.size
  }
}

/** The bytes of a part from `start` on. `signal` ends it. */
export async function* readPart(
  storage: Storage,
  { exportId, part, size }: { exportId: number; part: number; size: number },
  { start, length }: { start: number; length: number },
): AsyncGenerator<Buffer> {
  const end = start + length
  const literals = new Windows(storage, keyOfPart(exportId, part, 'bin'))
  const list = Readable.from(new Windows(storage, keyOfPart(exportId, part, 'jsonl')).all())
  let [at, referenced] = [0, 0]
  for await (const line of createInterface({ input: list })) {
    const [offset, bytes, key]: [number, number, string] = JSON.parse(line)
    yield* literals.read(Math.max(at, start) - referenced, Math.min(offset, end) - referenced)
    at = offset + bytes
    referenced += bytes
    if (offset >= end) return
    if (at <= start || bytes === 0) continue
    yield* object(storage, key, { start: Math.max(start - offset, 0), end: Math.min(end - offset, bytes) - 1 }, bytes)
  }
  yield* literals.read(Math.max(at, start) - referenced, Math.min(size, end) - referenced)
}

async function* object(storage: Storage, key: string, range: { start: number; end: number }, size: number) {
  const found = await storage.read(key, range)
  if (found.size !== size) {
    found.stream.destroy()
    throw new Error(`${key} has ${found.size} bytes instead of ${size}`)
  }
  let sent = 0
  for await (const chunk of found.stream) {
    sent += chunk.length
    yield chunk as Buffer
  }
  if (sent !== range.end - range.start + 1) throw new Error(`${key} ended early`)
}

const WINDOW = 256 * 1024

/**
 * Reads an object by short requests: a client may take hours for the photo between two headers, and stores end connections that nobody
 * reads from.
 */
class Windows {
  readonly #storage: Storage
  readonly #key: string
  #from = 0
  #bytes = Buffer.alloc(0)

  constructor(storage: Storage, key: string) {
    this.#storage = storage
    this.#key = key
  }

  async *read(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      if (at < this.#from || at >= this.#from + this.#bytes.length) {
        const { stream } = await this.#storage.read(this.#key, { start: at, end: at + WINDOW - 1 })
        this.#bytes = await buffer(stream)
        this.#from = at
        if (this.#bytes.length === 0) throw new Error(`${this.#key} ended early`)
      }
      const chunk = this.#bytes.subarray(at - this.#from, Math.min(end - this.#from, this.#bytes.length))
      yield chunk
      at += chunk.length
    }
  }

  async *all(): AsyncGenerator<Buffer> {
    const size = (await this.#storage.stat(this.#key))?.size ?? 0
    yield* this.read(0, size)
  }
}
