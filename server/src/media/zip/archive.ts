import { type FileHandle, open } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { pathBelow, type Scratch } from '../../kit/safe-path.ts'
import { dataDescriptor, directoryRecord, endOfArchive, localHeader, type ZipEntry } from './zip-format.ts'

/** A file of an archive. `source` says where its bytes are; it is stored as JSON. */
export interface ArchivedFile<Source> extends ZipEntry {
  source: Source
}

export interface Archive {
  /** Fails (rather than ending early) when a file is missing or its size has changed. Must be read or destroyed. */
  stream: Readable
  size: number
}

/**
 * A ZIP that is made while it is read, without compression: photos and videos are compressed already. The list of its
 * files is in a temporary file, and four bytes per file in memory: a client may take hours to read 100,000 files.
 */
export async function openArchive<Source>(
  scratch: Scratch,
  files: AsyncIterable<readonly ArchivedFile<Source>[]>,
  openSource: (source: Source) => Promise<Readable>,
): Promise<Archive> {
  const list = await FileList.create<Source>(scratch)
  try {
    for await (const some of files) await list.add(some)
    const closed = new AbortController()
    const openUntilClosed = async (source: Source) => addAbortSignal(closed.signal, await openSource(source))
    const stream = Readable.from(contentOf(list, openUntilClosed), { objectMode: false })
    // Not in the generator, which may never have started, or may be waiting for a store that does not answer.
    stream.once('close', () => {
      closed.abort()
      void list.close()
    })
    return { stream, size: list.archiveSize }
  } catch (error) {
    await list.close()
    throw error
  }
}

/** The files of an archive, in a temporary file without a name: the system removes it when it is closed. */
class FileList<Source> {
  readonly #handle: FileHandle
  #end = 0
  #count = 0
  #contentSize = 0
  #directorySize = 0

  static async create<Source>(scratch: Scratch): Promise<FileList<Source>> {
    const handle = await scratch.withFolder(folder => open(pathBelow(folder, 'files'), 'wx+', 0o600))
    return new FileList<Source>(handle)
  }

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  get count(): number {
    return this.#count
  }

  get archiveSize(): number {
    const [entries, offset, size] = [this.#count, this.#contentSize, this.#directorySize]
    return offset + size + endOfArchive({ entries, offset, size }).length
  }

  async add(files: readonly ArchivedFile<Source>[]): Promise<void> {
    for (const file of files) {
      this.#directorySize += directoryRecord(file, { crc: 0, offset: this.#contentSize }).length
      this.#contentSize += sizeInArchive(file)
    }
    this.#count += files.length
    const lines = Buffer.from(files.map(file => `${JSON.stringify(file)}\n`).join(''))
    await this.#handle.writeFile(lines)
    this.#end += lines.length
  }

  async *read(): AsyncGenerator<ArchivedFile<Source>> {
    let [at, rest] = [0, Buffer.alloc(0)]
    while (at < this.#end) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.alloc(READ_AT_ONCE), 0, READ_AT_ONCE, at)
      if (bytesRead === 0) throw new Error('The list of the files of an archive is incomplete')
      at += bytesRead
      const text = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      const whole = text.lastIndexOf('\n') + 1
      rest = text.subarray(whole)
      for (const line of text.toString('utf8', 0, whole).split('\n')) if (line !== '') yield JSON.parse(line)
    }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

const READ_AT_ONCE = 16 * 1024

function sizeInArchive(file: ZipEntry): number {
  return localHeader(file).length + file.size + dataDescriptor(file, 0).length
}

async function* contentOf<Source>(
  list: FileList<Source>,
  openSource: (source: Source) => Promise<Readable>,
): AsyncGenerator<Buffer> {
  const checksums = new Uint32Array(list.count)
  let entries = 0
  for await (const file of list.read()) {
    yield localHeader(file)
    let [crc, size] = [0, 0]
    for await (const chunk of await openSource(file.source)) {
      crc = crc32(chunk, crc)
      size += chunk.length
      if (size > file.size) break
      yield chunk
    }
    if (size !== file.size) throw new Error(`${file.name} has ${size} bytes instead of ${file.size}`)
    checksums[entries++] = crc
    yield dataDescriptor(file, crc)
  }
  yield* directoryOf(list, checksums)
}

async function* directoryOf(list: FileList<unknown>, checksums: Uint32Array): AsyncGenerator<Buffer> {
  let [entries, offset, size] = [0, 0, 0]
  let records: Buffer[] = []
  for await (const file of list.read()) {
    const record = directoryRecord(file, { crc: checksums[entries++] ?? 0, offset })
    offset += sizeInArchive(file)
    size += record.length
    records.push(record)
    if (records.length < RECORDS_AT_ONCE) continue
    yield Buffer.concat(records)
    records = []
  }
  yield Buffer.concat([...records, endOfArchive({ entries, offset, size })])
}

const RECORDS_AT_ONCE = 100
