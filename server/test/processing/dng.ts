import { linearLight } from './colour-files.ts'
import { type Colour, quadrants } from './pictures.ts'

const [BYTE, ASCII, SHORT, LONG, RATIONAL, SIGNED_RATIONAL] = [1, 2, 3, 4, 5, 10] as const
const byteLengths = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 10: 4 } as const
type FieldType = keyof typeof byteLengths
type Field = [tag: number, type: FieldType, values: readonly number[] | Buffer]

const PIXELS_AT = 273
/** Converts XYZ to the colours of a camera whose primaries are those of sRGB. */
const XYZ_TO_SRGB = [3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.204, 1.057]

/**
 * A DNG of an old camera without an embedded JPEG, only sensor data: the four quadrants as an RGGB Bayer pattern, 16
 * bits, not compressed.
 */
export function makeDng(width: number, height: number, orientation = 1): Buffer {
  const pixels = sensorPixels(width, height)
  const fields: Field[] = [
    [254, LONG, [0]],
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, [16]],
    [259, SHORT, [1]],
    [262, SHORT, [32803]],
    [271, ASCII, Buffer.from('Old Camera\0')],
    [272, ASCII, Buffer.from('Model 1\0')],
    [PIXELS_AT, LONG, [0]],
    [274, SHORT, [orientation]],
    [277, SHORT, [1]],
    [278, LONG, [height]],
    [279, LONG, [pixels.length]],
    [284, SHORT, [1]],
    [33421, SHORT, [2, 2]],
    [33422, BYTE, [0, 1, 1, 2]],
    [50706, BYTE, [1, 1, 0, 0]],
    [50708, ASCII, Buffer.from('Old Camera Model 1\0')],
    [50717, LONG, [65535]],
    [50721, SIGNED_RATIONAL, fractions(XYZ_TO_SRGB)],
    [50728, RATIONAL, fractions([1, 1, 1])],
    [50778, SHORT, [21]],
  ]
  return Buffer.concat([encode(fields), pixels])
}

function sensorPixels(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 2)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour: Colour = quadrants[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? quadrants[0]
      pixels.writeUInt16LE(Math.round(linearLight(colour[(y % 2) + (x % 2)] ?? 0) * 65535), (y * width + x) * 2)
    }
  }
  return pixels
}

function fractions(values: readonly number[]): number[] {
  return values.flatMap(value => [Math.round(value * 10_000), 10_000])
}

/** A TIFF header and directory, directly followed by the pixels. */
function encode(fields: Field[]): Buffer {
  const directory = Buffer.alloc(8 + 2 + fields.length * 12 + 4)
  directory.write('II')
  directory.writeUInt16LE(42, 2)
  directory.writeUInt32LE(8, 4)
  directory.writeUInt16LE(fields.length, 8)
  const outside: Buffer[] = []
  let end = directory.length
  for (const [index, [tag, type, values]] of fields.entries()) {
    const at = 10 + index * 12
    const bytes = valueBytes(type, values)
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(type === RATIONAL || type === SIGNED_RATIONAL ? values.length / 2 : values.length, at + 4)
    if (bytes.length <= 4) bytes.copy(directory, at + 8)
    else {
      directory.writeUInt32LE(end, at + 8)
      outside.push(bytes)
      end += bytes.length
    }
  }
  const pixelsField = fields.findIndex(([tag]) => tag === PIXELS_AT)
  directory.writeUInt32LE(end, 10 + pixelsField * 12 + 8)
  return Buffer.concat([directory, ...outside])
}

function valueBytes(type: FieldType, values: readonly number[] | Buffer): Buffer {
  const size = byteLengths[type]
  const bytes = Buffer.alloc(values.length * size + ((values.length * size) % 2))
  for (const [index, value] of values.entries()) {
    if (type === SIGNED_RATIONAL) bytes.writeInt32LE(value, index * size)
    else bytes.writeUIntLE(value, index * size, size)
  }
  return bytes
}
