// The parts of a ZIP file, as APPNOTE.TXT of PKWARE describes them. Files are stored without compression; their checksums
// follow their bytes, because they are not known before.

export interface ZipEntry {
  name: string
  size: number
  /** Modification time after unpacking: a wall clock stored as if it were UTC. */
  wallClock: number
  /** Of the bytes, if it is known before them; else it follows them. */
  crc?: number
}

const NOT_IN_32_BITS = 0xffffffff
const NOT_IN_16_BITS = 0xffff

/** 2.0, and 4.5 for Zip64: records with 64 bits for sizes and offsets. */
const VERSION = 20
const VERSION_ZIP64 = 45
const MADE_ON_UNIX = (3 << 8) | 63
const REGULAR_FILE = (0o100664 << 16) >>> 0
/** The name is UTF-8. */
const FLAGS = 0x0800
const CHECKSUM_FOLLOWS = 0x0008
const flagsOf = ({ crc }: ZipEntry) => (crc === undefined ? FLAGS | CHECKSUM_FOLLOWS : FLAGS)

const isLarge = ({ size }: ZipEntry) => size >= NOT_IN_32_BITS

/** Before the bytes of a file. */
export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name)
  const extra = isLarge(entry) ? zip64Field([entry.size, entry.size]) : Buffer.alloc(0)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(isLarge(entry) ? VERSION_ZIP64 : VERSION, 4)
  header.writeUInt16LE(flagsOf(entry), 6)
  header.writeUInt32LE(dosTime(entry.wallClock), 10)
  // Zero while the checksum follows the bytes, unless the sizes are in the extra field.
  const size = entry.crc === undefined ? 0 : entry.size
  header.writeUInt32LE(entry.crc ?? 0, 14)
  header.writeUInt32LE(isLarge(entry) ? NOT_IN_32_BITS : size, 18)
  header.writeUInt32LE(isLarge(entry) ? NOT_IN_32_BITS : size, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, name, extra])
}

/** After the bytes of a file whose checksum was not known before. */
export function dataDescriptor(entry: ZipEntry, crc: number): Buffer {
  const descriptor = Buffer.alloc(isLarge(entry) ? 24 : 16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  if (isLarge(entry)) {
    descriptor.writeBigUInt64LE(BigInt(entry.size), 8)
    descriptor.writeBigUInt64LE(BigInt(entry.size), 16)
  } else {
    descriptor.writeUInt32LE(entry.size, 8)
    descriptor.writeUInt32LE(entry.size, 12)
  }
  return descriptor
}

/** The record of a file in the directory at the end. `offset`: where its local header begins. */
export function directoryRecord(entry: ZipEntry, { crc, offset }: { crc: number; offset: number }): Buffer {
  const name = Buffer.from(entry.name)
  const [size, at] = [Math.min(entry.size, NOT_IN_32_BITS), Math.min(offset, NOT_IN_32_BITS)]
  const large = [...(isLarge(entry) ? [entry.size, entry.size] : []), ...(at === NOT_IN_32_BITS ? [offset] : [])]
  const extra = large.length > 0 ? zip64Field(large) : Buffer.alloc(0)
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(MADE_ON_UNIX, 4)
  record.writeUInt16LE(large.length > 0 ? VERSION_ZIP64 : VERSION, 6)
  record.writeUInt16LE(flagsOf(entry), 8)
  record.writeUInt32LE(dosTime(entry.wallClock), 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(size, 20)
  record.writeUInt32LE(size, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE(REGULAR_FILE, 38)
  record.writeUInt32LE(at, 42)
  return Buffer.concat([record, name, extra])
}

export interface Directory {
  entries: number
  /** Where it begins, and its length. */
  offset: number
  size: number
}

/** The end of the archive. */
export function endOfArchive({ entries, offset, size }: Directory): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, NOT_IN_16_BITS), 8)
  end.writeUInt16LE(Math.min(entries, NOT_IN_16_BITS), 10)
  end.writeUInt32LE(Math.min(size, NOT_IN_32_BITS), 12)
  end.writeUInt32LE(Math.min(offset, NOT_IN_32_BITS), 16)
  if (entries < NOT_IN_16_BITS && size < NOT_IN_32_BITS && offset < NOT_IN_32_BITS) return end
  const large = Buffer.alloc(56)
  large.writeUInt32LE(0x06064b50, 0)
  large.writeBigUInt64LE(BigInt(large.length - 12), 4)
  large.writeUInt16LE(MADE_ON_UNIX, 12)
  large.writeUInt16LE(VERSION_ZIP64, 14)
  for (const [value, at] of [
    [entries, 24],
    [entries, 32],
    [size, 40],
    [offset, 48],
  ] as const) {
    large.writeBigUInt64LE(BigInt(value), at)
  }
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([large, locator, end])
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(0x0001, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [i, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * i)
  return field
}

/**
 * From 1980 to 2107, in steps of two seconds: the time in the lower half, the date in the upper one. Undated files have
 * the earliest one.
 */
function dosTime(wallClock: number): number {
  const at = new Date(Math.min(Math.max(wallClock, EARLIEST), LATEST))
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return ((date << 16) | time) >>> 0
}

const EARLIEST = Date.UTC(1980, 0)
const LATEST = Date.UTC(2107, 11, 31, 23, 59, 58)
