/** Motion photos as phones write them, built from a picture and an MP4 of the test. */

interface XmpOptions {
  /** Overrides the clip's length in the XMP with a wrong value. */
  length?: number
  /** Bytes between the picture and the clip, such as the gain map of an Ultra HDR photo. */
  between?: Buffer
  asElements?: boolean
}

/** Google's MotionPhoto (Pixel since 2020, many others): a directory in the XMP, the clip at the end of the file. */
export function googleMotionPhoto(jpeg: Buffer, clip: Buffer, options: XmpOptions = {}): Buffer {
  const { length = clip.length, between = Buffer.alloc(0), asElements = false } = options
  const items = [
    { Mime: 'image/jpeg', Semantic: 'Primary', Length: 0, Padding: 0 },
    ...(between.length > 0 ? [{ Mime: 'image/jpeg', Semantic: 'GainMap', Length: between.length }] : []),
    { Mime: 'video/mp4', Semantic: 'MotionPhoto', Length: length, Padding: 0 },
  ]
  const list = items.map(item => {
    const properties = Object.entries(item)
    const inside = asElements
      ? ` rdf:parseType="Resource">${properties.map(([name, value]) => `<Item:${name}>${value}</Item:${name}>`).join('')}</Container:Item>`
      : `${properties.map(([name, value]) => ` Item:${name}="${value}"`).join('')}/>`
    return `<rdf:li rdf:parseType="Resource"><Container:Item${inside}</rdf:li>`
  })
  const xmp = xmpPacket(
    'GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MotionPhotoPresentationTimestampUs="500000"',
    `<Container:Directory><rdf:Seq>${list.join('')}</rdf:Seq></Container:Directory>`,
  )
  return Buffer.concat([withXmp(jpeg, xmp), between, clip])
}

/** Google's older MicroVideo (Pixel 2 and 3, Xiaomi): an offset from the end of the file. */
export function microVideo(jpeg: Buffer, clip: Buffer, offset: number | string = clip.length): Buffer {
  const xmp = xmpPacket(
    `GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="${offset}" GCamera:MicroVideoPresentationTimestampUs="500000"`,
  )
  return Buffer.concat([withXmp(jpeg, xmp), clip])
}

interface TrailerOptions {
  /** Override the directory's entries with wrong values. */
  back?: number
  length?: number
  directoryLength?: number
}

/** Samsung's trailer after a JPEG or HEIC. */
export function samsungTrailer(photo: Buffer, clip: Buffer, options: TrailerOptions = {}): Buffer {
  const other = samsungBlock(0x0a01, 'Image_UTC_Data', Buffer.from('1500000000000'))
  const motion = samsungBlock(0x0a30, 'MotionPhoto_Data', clip)
  const { back = motion.length, length = motion.length } = options
  const directory = Buffer.concat([
    Buffer.from('SEFH'),
    ...[107, 2].map(uint32LE),
    ...[Buffer.of(0, 0, 0x01, 0x0a), uint32LE(other.length + motion.length), uint32LE(other.length)],
    ...[Buffer.of(0, 0, 0x30, 0x0a), uint32LE(back), uint32LE(length)],
  ])
  const end = [uint32LE(options.directoryLength ?? directory.length), Buffer.from('SEFT')]
  return Buffer.concat([photo, other, motion, directory, ...end])
}

/** Newer Samsung phones, and Google's format for HEIC: a box at the top level. */
export function withMpvdBox(heic: Buffer, clip: Buffer, length = clip.length + 8): Buffer {
  const head = Buffer.concat([Buffer.alloc(4), Buffer.from('mpvd')])
  head.writeUInt32BE(length)
  return Buffer.concat([heic, head, clip])
}

function samsungBlock(type: number, name: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0, 0, type & 0xff, type >> 8), uint32LE(name.length), Buffer.from(name), data])
}

function xmpPacket(attributes: string, inside = ''): string {
  return [
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"',
    ' xmlns:Container="http://ns.google.com/photos/1.0/container/"',
    ' xmlns:Item="http://ns.google.com/photos/1.0/container/item/"',
    ` ${attributes}>${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  ].join('')
}

/** Inserts XMP as the first segment of a JPEG. */
export function withXmp(jpeg: Buffer, xmp: string): Buffer {
  const content = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`)
  const head = Buffer.of(0xff, 0xe1, (content.length + 2) >> 8, (content.length + 2) & 0xff)
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

/** Adds the identifier that iPhones write into both halves of a Live Photo: 36 characters. */
export function withContentIdentifier(jpeg: Buffer, identifier: string): Buffer {
  const makerNote = Buffer.concat([
    Buffer.from('Apple iOS\0\0\x01MM\0\x01', 'latin1'),
    ifdEntry(0x11, 2, identifier.length + 1, 32),
    Buffer.alloc(4),
    Buffer.from(`${identifier}\0`),
  ])
  const tiff = Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08\0\x02', 'latin1'),
    // exiftool parses Apple's maker notes only if the camera maker is Apple.
    ...[ifdEntry(0x10f, 2, 6, 38), ifdEntry(0x8769, 4, 1, 44), Buffer.alloc(4), Buffer.from('Apple\0')],
    ...[Buffer.of(0, 1), ifdEntry(0x927c, 7, makerNote.length, 62), Buffer.alloc(4)],
    makerNote,
  ])
  const content = Buffer.concat([Buffer.from('Exif\0\0'), tiff])
  const head = Buffer.of(0xff, 0xe1, (content.length + 2) >> 8, (content.length + 2) & 0xff)
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

function ifdEntry(tag: number, type: number, count: number, value: number): Buffer {
  const entry = Buffer.alloc(12)
  entry.writeUInt16BE(tag)
  entry.writeUInt16BE(type, 2)
  entry.writeUInt32BE(count, 4)
  entry.writeUInt32BE(value, 8)
  return entry
}

function uint32LE(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
