import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ArchivedFile {
  name: string
  size: number
  /** The wall clock it shows once unpacked, kept as if it were UTC. */
  wallClock: number
  open(): Promise<Readable>
}

export interface Archive {
  /** Ends in an error, not early, when a file is missing or no longer as long as it was. To be read or destroyed. */
  stream: Readable
  size: number
}

/** A ZIP of files as they are, made while it is read: photos and films do not get any smaller. */
export function archiveOf(files: readonly ArchivedFile[]): Archive {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  let open: Readable | undefined
  zip.on('error', (error: Error) => stream.destroy(error))
  stream.on('close', () => open?.destroy())

  for (const file of files) {
    // The library's other kind of time cannot hold what was before 1970.
    const options = { compress: false, size: file.size, mtime: localTime(file.wallClock), forceDosTimestamp: true }
    zip.addReadStreamLazy(file.name, options, give => {
      // Whoever fetches it may have gone meanwhile.
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

/** The library reads the clock of the server's own zone. */
function localTime(wallClock: number): Date {
  const date = new Date(wallClock)
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

/** From 64 KiB on the library reckons with a longer ending than it writes, unless it is told to write that one. */
function hasLargeDirectory(files: readonly ArchivedFile[]): boolean {
  const bytes = files.reduce((sum, { name }) => sum + Buffer.byteLength(name) + MOST_BYTES_BESIDE_A_NAME, 0)
  return bytes >= 0xffff
}
