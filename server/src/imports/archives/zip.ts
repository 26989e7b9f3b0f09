import { crc32 } from 'node:zlib'
import { Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { imports } from '#contract/limits.ts'
import { collect, SourceError, safeParts, type TreeFile, type TreeOptions, type TreePart } from './tree-part.ts'

/** The files of a ZIP by its central directory. They are read where they are, and nothing is unpacked to a disk. */
export async function readZip(path: string, part: TreePart, options: TreeOptions): Promise<void> {
  const zip = await openPromise(path, { decodeStrings: false, autoClose: false, validateEntrySizes: false }).catch(
    cause => {
      throw new SourceError(`${path} is a damaged or incomplete ZIP file. Download it again.`, { cause })
    },
  )
  part.atEnd(async () => zip.close())
  if (zip.entryCount > imports.sourceFiles) {
    throw new SourceError(
      `${path} has more than ${imports.sourceFiles.toLocaleString('en')} entries, which no export has.`,
    )
  }
  const files: ZipEntry[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      options.signal.throwIfAborted()
      const found = readEntry(entry, part)
      if (found) files.push(found)
    }
  } catch (cause) {
    options.signal.throwIfAborted()
    throw new SourceError(`The directory of ${path} is damaged. Download it again.`, { cause })
  }
  for (const { name, entry } of withoutOverlaps(files, part)) {
    const file: TreeFile = {
      ...{ path: name, name: name.split('/').at(-1) ?? name, size: entry.uncompressedSize, modifiedAt: null },
      fingerprint: `crc32:${entry.crc32}`,
      open: () => bytesOf(zip, entry),
    }
    if (options.isParsed(name) && file.size <= imports.sidecarBytes) {
      // A broken one is reported by the parser.
      file.parsed = options.parse(name, (await collect(file.open()).catch(() => undefined)) ?? Buffer.alloc(0))
    }
    part.add(file)
  }
}

interface ZipEntry {
  name: string
  entry: Entry
}

const LINK = 0o120000
const TYPE = 0o170000
const FROM_UNIX = 3

function readEntry(entry: Entry, part: TreePart): ZipEntry | undefined {
  const raw = entry.fileNameRaw
  const name = nameOf(entry)
  if (name.endsWith('/')) return undefined
  const path = name.slice(0, 300)
  const parts = raw.length > imports.pathLength ? undefined : safeParts(name)
  if (!parts) {
    part.problem({ path, reason: 'unsafe-name' })
    return undefined
  }
  if (entry.versionMadeBy >>> 8 === FROM_UNIX && ((entry.externalFileAttributes >>> 16) & TYPE) === LINK) {
    part.problem({ path, reason: 'link' })
    return undefined
  }
  if (entry.isEncrypted()) {
    part.problem({ path, reason: 'encrypted' })
    return undefined
  }
  if (isBomb(entry)) {
    part.problem({ path, reason: 'damaged-archive', detail: 'it would unpack to many times its size' })
    return undefined
  }
  return { name: parts.join('/'), entry: withoutTexts(entry) }
}

/** Photos and videos are compressed already. */
function isBomb({ compressedSize, uncompressedSize }: Entry): boolean {
  return uncompressedSize > imports.bombBytes && uncompressedSize > compressedSize * imports.bombRatio
}

/** Many programs write UTF-8 without saying so. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw)
  } catch {
    // No UTF-8: as the standard says.
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  }
}

/** Only the numbers that reading needs: there may be hundreds of thousands. */
function withoutTexts(entry: Entry): Entry {
  const { compressedSize, uncompressedSize, compressionMethod, crc32, generalPurposeBitFlag } = entry
  const numbers = { compressedSize, uncompressedSize, compressionMethod, crc32, generalPurposeBitFlag }
  const { relativeOffsetOfLocalHeader } = entry
  return Object.assign(new Entry(), numbers, { relativeOffsetOfLocalHeader })
}

const LOCAL_HEADER = 30

/** Entries that share bytes are no export, but a file that unpacks to far more than it has. */
function withoutOverlaps(files: readonly ZipEntry[], part: TreePart): ZipEntry[] {
  const byOffset = files.toSorted((a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader)
  const overlapping = new Set<ZipEntry>()
  let end = 0
  for (const file of byOffset) {
    const { relativeOffsetOfLocalHeader: begin, compressedSize } = file.entry
    if (begin < end) overlapping.add(file)
    end = Math.max(end, begin + LOCAL_HEADER + compressedSize)
  }
  for (const { name } of overlapping) {
    part.problem({ path: name, reason: 'damaged-archive', detail: 'it shares bytes with another file' })
  }
  return files.filter(file => !overlapping.has(file))
}

async function* bytesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== entry.crc32) throw new Error('its checksum in the ZIP file is another')
}
