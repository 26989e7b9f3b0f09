/**
 * A HEIC file as a phone writes it, with one HEVC frame of 64 × 32 pixels in four colours: red and green above, blue
 * and white below. The frame was encoded once with x265 (crf 12, 4:4:4, full range, BT.709); the container is built
 * here, so that tests can set its rotation and colour properties.
 */
const decoderConfiguration = Buffer.from(
  'AQQIAAAAnigAAAAAHvAA/P/4+AAADwOgAAEAF0ABDAH//wQIAAADAJ4oAAADAAAeugJAoQABAClCAQEECAAAAwCeKAAAAwAAHpAEEELLdXJheAtwICAQ' +
    'QAAAAwBAAAAGQqIAAQAIRAHBcxgwDSQ=',
  'base64',
)
const frame = Buffer.from(
  'AAAAZSgBrBHAjUYBf8vY//9nf7L7xQzLnIo+7gNp+RQf/8ScghkFEkuafNGEI/nURF/AeGMV5BGsGW/vPS//DWB1zz6c4pLjh+sVLalviyb/7jj//W0D' +
    'U/jqf/T2f/91Bo9OaAAfjNxw',
  'base64',
)
const FRAME_SIZE = { width: 64, height: 32 }

const STILL = box('ftyp', Buffer.from('heic'), uint32(0), Buffer.from('mif1heic'))

export interface HeicOptions {
  /** Counter-clockwise quarter turns in the container (irot); null for a container that does not mention it. */
  quarterTurns?: number | null
  /** Whether the container mirrors it, left and right (imir). */
  mirrored?: boolean
  exifOrientation?: number
  icc?: Buffer
  /** What precedes the picture, instead of an `ftyp` box: a sequence. */
  head?: Buffer
}

export function makeHeic({
  quarterTurns = 0,
  mirrored = false,
  exifOrientation = 1,
  icc,
  head = STILL,
}: HeicOptions = {}): Buffer {
  const exif = exifItem(exifOrientation)
  const properties = [
    box('hvcC', decoderConfiguration),
    fullBox('ispe', 0, uint32(FRAME_SIZE.width), uint32(FRAME_SIZE.height)),
    box('colr', Buffer.from('nclx'), uint16(1), uint16(13), uint16(1), Buffer.of(0x80)),
    ...(quarterTurns === null ? [] : [box('irot', Buffer.of(quarterTurns))]),
    ...(mirrored ? [box('imir', Buffer.of(1))] : []),
    ...(icc ? [box('colr', Buffer.from('prof'), icc)] : []),
  ]
  const associations = properties.map((_, index) => Buffer.of(index + 1))
  const metaAt = (dataStart: number) =>
    fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, uint32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, uint16(1)),
      fullBox('iinf', 0, uint16(2), item(1, 'hvc1'), item(2, 'Exif')),
      fullBox('iref', 0, box('cdsc', uint16(2), uint16(1), uint16(1))),
      box(
        'iprp',
        box('ipco', ...properties),
        fullBox('ipma', 0, uint32(1), uint16(1), Buffer.of(associations.length), ...associations),
      ),
      fullBox(
        'iloc',
        0,
        Buffer.of(0x44, 0),
        uint16(2),
        place(1, dataStart, frame.length),
        place(2, dataStart + frame.length, exif.length),
      ),
    )
  const dataStart = head.length + metaAt(0).length + 8
  return Buffer.concat([head, metaAt(dataStart), box('mdat', frame, exif)])
}

export function item(id: number, type: string): Buffer {
  const infe = fullBox('infe', 0, uint16(id), uint16(0), Buffer.from(`${type}\0`))
  infe[8] = 2
  return infe
}

export function place(id: number, offset: number, length: number): Buffer {
  return Buffer.concat([uint16(id), uint16(0), uint16(1), uint32(offset), uint32(length)])
}

function exifItem(orientation: number): Buffer {
  const tiff = Buffer.from('MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
  tiff.writeUInt16BE(orientation, 18)
  return Buffer.concat([uint32(0), tiff])
}

export function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type), content])
}

export function fullBox(type: string, flags: number, ...parts: Buffer[]): Buffer {
  return box(type, uint32(flags), ...parts)
}

export function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff)
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
