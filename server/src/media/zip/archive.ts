import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { UNDATED_LIMIT } from '#contract/edtf.ts'
import { comparable } from '#contract/motion-photos.ts'
import { withoutControls } from '../../storage/download-name.ts'
import { truncateToBytes } from '../../storage/keys.ts'

export interface ArchivedFile {
  name: string
  size: number
  /** Modification time after unpacking: a wall clock stored as if it were UTC. */
  wallClock: number
  open(): Promise<Readable>
}

export interface Archive {
  /** Fails (rather than ending early) when a file is missing or its size has changed. Must be read or destroyed. */
  stream: Readable
  size: number
}

/** A ZIP that is made while it is read, without compression: photos and videos are compressed already. */
export function archiveOf(files: readonly ArchivedFile[]): Archive {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  let open: Readable | undefined
  zip.on('error', (error: Error) => stream.destroy(error))
  stream.on('close', () => open?.destroy())

  for (const file of files) {
    // The library's other timestamp format cannot represent times before 1970.
    const options = { compress: false, size: file.size, mtime: localTime(file.wallClock), forceDosTimestamp: true }
    zip.addReadStreamLazy(file.name, options, give => {
      // The client may have disconnected.
      if (stream.destroyed) return
      file.open().then(
        source => {
          open = source
          source.on('error', error => stream.destroy(error))
          if (stream.destroyed) source.destroy()
          else give(null, source)
        },
        error => stream.destroy(error),
      )
    })
  }
  let size = 0
  zip.end({ forceZip64Format: hasLargeDirectory(files), comment: '' }, (...[total]: unknown[]) => {
    size = Number(total)
  })
  return { stream, size }
}

/** The library reads dates in the server's time zone. */
function localTime(wallClock: number): Date {
  // An archive needs a date for every file; this is its earliest one.
  const date = new Date(wallClock < UNDATED_LIMIT ? Date.UTC(1980, 0) : wallClock)
  return new Date(
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  )
}

const MOST_BYTES_BESIDE_A_NAME = 46 + 28

/** From 64 KiB on, the size that yazl computes assumes the Zip64 format, which it does not write by itself. */
function hasLargeDirectory(files: readonly ArchivedFile[]): boolean {
  const bytes = files.reduce((sum, { name }) => sum + Buffer.byteLength(name) + MOST_BYTES_BESIDE_A_NAME, 0)
  return bytes >= 0xffff
}

/** Not allowed in file names on some systems, or path separators. */
const NOT_IN_NAMES = /[/\\:*?"<>|]/g

/** File systems allow 255 bytes; the rest is for the number that makes a name unique. */
const MOST_BYTES = 240

/**
 * Deduplicates the names in an archive or a folder: "a.jpg", "a (2).jpg". With the extension of its clip, the same name with
 * that extension is taken too.
 */
export function createUniqueNames(): (wanted: string, clipExtension?: string) => string {
  const taken = new Set<string>()
  /** The last number used for each name, so that ten thousand equal names take linear time. */
  const numbers = new Map<string, number>()
  return (wanted, clipExtension) => {
    const [stem, extension] = sanitise(wanted)
    const extensions = clipExtension === undefined ? [extension] : [extension, clipExtension]
    const first = comparable(stem + extension)
    let number = numbers.get(first) ?? 1
    let unique = stem
    while (extensions.some(each => taken.has(comparable(unique + each)))) unique = `${stem} (${++number})`
    numbers.set(first, number)
    for (const each of extensions) taken.add(comparable(unique + each))
    return unique + extension
  }
}

function sanitise(name: string): [stem: string, extension: string] {
  const clean = withoutControls(name).replace(NOT_IN_NAMES, '_').trim().replace(/^\.+$/, '')
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.\s]{1,10})?$/su.exec(clean) ?? []
  return [truncateToBytes(stem, MOST_BYTES - Buffer.byteLength(extension)) || 'file', extension]
}
