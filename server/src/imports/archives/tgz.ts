import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract, type Header } from 'tar-stream'
import { imports } from '#contract/limits.ts'
import { pathBelow, type Scratch } from '../../kit/safe-path.ts'
import type { SourceFile } from '../plan.ts'
import { collect, SourceError, safeParts, type TreeFile, type TreeOptions, type TreePart } from './tree-part.ts'

/** As the iterator yields it. */
type Entry = AsyncIterable<Uint8Array> & { header: Header; resume(): void }

/**
 * The files of a .tgz. It has no directory, so a first pass lists them and a second one reads them in the same order. What
 * is read out of order is kept in a temporary file until then.
 */
export async function readTgz(path: string, part: TreePart, options: TreeOptions): Promise<void> {
  const pass = new Pass(path, options.scratch)
  part.atEnd(() => pass.close())
  const indexes = new Map<SourceFile, number>()
  part.early(files => pass.openEarly(files.flatMap(file => indexes.get(file) ?? [])))
  let index = -1
  const archive = unpack(path)
  try {
    for await (const entry of archive as AsyncIterable<Entry>) {
      options.signal.throwIfAborted()
      index += 1
      const file = fileOf(entry, part, pass, index)
      if (file && options.isParsed(file.path) && file.size <= imports.sidecarBytes) {
        file.parsed = options.parse(file.path, (await collect(entry)) ?? Buffer.alloc(0))
      }
      if (file) {
        indexes.set(file, index)
        part.add(file)
      }
      entry.resume()
    }
  } catch (cause) {
    options.signal.throwIfAborted()
    if (cause instanceof SourceError) throw cause
    throw new SourceError(`${path} is a damaged or incomplete .tgz file. Download it again.`, { cause })
  } finally {
    archive.destroy()
  }
}

function fileOf({ header }: Entry, part: TreePart, pass: Pass, index: number): TreeFile | undefined {
  const { name, type, size = 0, mtime } = header
  if (type === 'directory') return undefined
  const parts = safeParts(name)
  const path = name.slice(0, 300)
  if (!parts) part.problem({ path, reason: 'unsafe-name' })
  else if (type !== 'file' && type !== 'contiguous-file') part.problem({ path, reason: 'link' })
  else {
    const fingerprint = mtime ? `tar:${mtime.getTime()}` : ''
    const place = { path: parts.join('/'), name: parts.at(-1) ?? '' }
    return { ...place, size, fingerprint, modifiedAt: null, sequential: true, open: () => pass.open(index) }
  }
  return undefined
}

/** Errors of the file and of its compression end the archive too. */
function unpack(path: string): Extract {
  const archive = extract()
  let [read, unpacked] = [0, 0]
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 })
  const gunzip = createGunzip()
  file.on('data', chunk => {
    read += chunk.length
  })
  gunzip.on('data', chunk => {
    unpacked += chunk.length
    if (unpacked > imports.bombBytes && unpacked > read * imports.bombRatio) {
      gunzip.destroy(new SourceError(`${path} unpacks to many times its size, which no export does.`))
    }
  })
  file.on('error', error => archive.destroy(error))
  gunzip.on('error', error => archive.destroy(error))
  archive.on('close', () => {
    file.destroy()
    gunzip.destroy()
  })
  file.pipe(gunzip).pipe(archive)
  return archive
}

/** Reads entries by their index, and begins again where one was passed already. */
class Pass {
  readonly #path: string
  readonly #scratch: Scratch
  readonly #early = new Set<number>()
  readonly #kept = new Map<number, FileHandle>()
  #archive: Extract | undefined
  #entries: AsyncIterator<Entry> | undefined
  #current: Entry | undefined
  #next = 0

  constructor(path: string, scratch: Scratch) {
    this.#path = path
    this.#scratch = scratch
  }

  openEarly(indexes: readonly number[]): void {
    for (const index of indexes) this.#early.add(index)
  }

  async *open(index: number): AsyncGenerator<Uint8Array> {
    const kept = this.#kept.get(index)
    if (kept) {
      this.#kept.delete(index)
      // Closes the file, which has no name any more.
      yield* kept.createReadStream({ start: 0 })
      return
    }
    if (index < this.#next) await this.close()
    for (;;) {
      const entry = await this.#advance()
      if (this.#next - 1 === index) {
        yield* entry
        return
      }
      if (this.#early.has(this.#next - 1)) await this.#keep(this.#next - 1, entry)
    }
  }

  async #advance(): Promise<Entry> {
    this.#archive ??= unpack(this.#path)
    this.#entries ??= (this.#archive as AsyncIterable<Entry>)[Symbol.asyncIterator]()
    this.#current?.resume()
    const { value, done } = await this.#entries.next()
    if (done) throw new Error('the archive has changed')
    this.#current = value
    this.#next += 1
    return value
  }

  async #keep(index: number, entry: Entry): Promise<void> {
    const handle = await this.#scratch.withFolder(folder => open(pathBelow(folder, 'entry'), 'wx+', 0o600))
    for await (const chunk of entry) await handle.write(chunk)
    this.#kept.set(index, handle)
  }

  async close(): Promise<void> {
    this.#archive?.destroy()
    this.#archive = undefined
    this.#entries = undefined
    this.#current = undefined
    this.#next = 0
    for (const handle of this.#kept.values()) await handle.close()
    this.#kept.clear()
  }
}
