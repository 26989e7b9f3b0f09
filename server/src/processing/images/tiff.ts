import type { Size } from './pixels.ts'

const SHORT = 3
const LONG = 4
const UNDEFINED = 7

const ROWS_PER_STRIP = 64

interface Field {
  readonly tag: number
  readonly type: typeof SHORT | typeof LONG | typeof UNDEFINED
  readonly values: readonly number[] | Buffer
}

/** 8 bits per channel: grey or RGB, with optional alpha. */
interface TiffShape extends Size {
  readonly channels: 1 | 2 | 3 | 4
  readonly orientation?: number | undefined
}

/**
 * An uncompressed TIFF file in memory; the caller fills in the pixels. It is the only way to pass pixels with an ICC
 * profile to sharp.
 */
export function allocateTiff(shape: TiffShape, icc?: Buffer): { file: Buffer; pixels: Buffer } {
  const { width, height, channels, orientation = 1 } = shape
  const [grey, alpha] = [channels < 3, channels % 2 === 0]
  const rowBytes = width * channels
  const strips = Math.ceil(height / ROWS_PER_STRIP)
  const stripSizes = Array.from({ length: strips }, (_, strip) => {
    return Math.min(ROWS_PER_STRIP, height - strip * ROWS_PER_STRIP) * rowBytes
  })
  const fieldsAt = (pixelsAt: number): Field[] => [
    { tag: 0x0100, type: LONG, values: [width] },
    { tag: 0x0101, type: LONG, values: [height] },
    { tag: 0x0102, type: SHORT, values: Array<number>(channels).fill(8) },
    { tag: 0x0103, type: SHORT, values: [1] }, // no compression
    { tag: 0x0106, type: SHORT, values: [grey ? 1 : 2] },
    { tag: 0x0111, type: LONG, values: stripSizes.map((_, strip) => pixelsAt + strip * ROWS_PER_STRIP * rowBytes) },
    { tag: 0x0112, type: SHORT, values: [orientation] },
    { tag: 0x0115, type: SHORT, values: [channels] },
    { tag: 0x0116, type: LONG, values: [ROWS_PER_STRIP] },
    { tag: 0x0117, type: LONG, values: stripSizes },
    ...(alpha ? [{ tag: 0x0152, type: SHORT, values: [2] } as const] : []), // unassociated alpha
    ...(icc ? [{ tag: 0x8773, type: UNDEFINED, values: icc } as const] : []),
  ]
  // The length of the fields does not depend on the pixel offset, so it can be computed first.
  const pixelsAt = encode(fieldsAt(0)).length
  const file = Buffer.alloc(pixelsAt + rowBytes * height)
  encode(fieldsAt(pixelsAt)).copy(file)
  return { file, pixels: file.subarray(pixelsAt) }
}

export function toTiff({ data, ...shape }: TiffShape & { readonly data: Buffer }, icc?: Buffer): Buffer {
  const tiff = allocateTiff(shape, icc)
  data.copy(tiff.pixels)
  return tiff.file
}

function encode(fields: Field[]): Buffer {
  const directory = Buffer.alloc(8 + 2 + fields.length * 12 + 4)
  directory.write('II')
  directory.writeUInt16LE(42, 2)
  directory.writeUInt32LE(8, 4)
  directory.writeUInt16LE(fields.length, 8)
  const outside: Buffer[] = []
  let end = directory.length
  for (const [index, { tag, type, values }] of fields.entries()) {
    const at = 10 + index * 12
    const bytes = type === UNDEFINED ? Buffer.from(values) : numbers(values, type)
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(values.length, at + 4)
    if (bytes.length <= 4) {
      bytes.copy(directory, at + 8)
      continue
    }
    directory.writeUInt32LE(end, at + 8)
    const even = bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes
    outside.push(even)
    end += even.length
  }
  return Buffer.concat([directory, ...outside])
}

function numbers(values: readonly number[] | Buffer, type: typeof SHORT | typeof LONG): Buffer {
  const size = type === SHORT ? 2 : 4
  const bytes = Buffer.alloc(values.length * size)
  for (const [index, value] of values.entries()) bytes.writeUIntLE(value, index * size, size)
  return bytes
}
