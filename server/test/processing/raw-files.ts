/** Skeletons of RAW files: the structure that says where their pixels are, and noise instead of pixels. */

type Entry = readonly [tag: number, type: 3 | 4, values: readonly number[]]

/** A TIFF in little-endian order: a directory at the start, with a subdirectory, then the pixels of both. */
export function makeTiffRaw(pixels: Buffer, preview: Buffer, signature = 'II*\0'): Buffer {
  const directories = (first: number) => {
    const at = { sub: first + directoryBytes(5), preview: first + directoryBytes(5) + directoryBytes(2) }
    return Buffer.concat([
      directory([
        [254, 4, [1]],
        [271, 3, [0]],
        [330, 4, [at.sub]],
        [513, 4, [at.preview]],
        [514, 4, [preview.length]],
      ]),
      directory([
        [273, 4, [at.preview + preview.length]],
        [279, 4, [pixels.length]],
      ]),
    ])
  }
  const header = Buffer.alloc(8)
  header.write(signature, 'latin1')
  header.writeUInt32LE(8, 4)
  return Buffer.concat([header, directories(8), preview, pixels])
}

/** Panasonic states the size of the picture instead of the length of its data. */
export function makeRw2(width: number, height: number): Buffer {
  const pixelsAt = 8 + directoryBytes(5)
  const header = Buffer.from('IIU\0\x08\0\0\0', 'latin1')
  const fields = directory([
    [2, 3, [width]],
    [3, 3, [height]],
    [10, 3, [12]],
    [45, 3, [5]],
    [280, 4, [pixelsAt]],
  ])
  return Buffer.concat([header, fields, noise(Math.floor((width * height) / 10) * 16)])
}

function directoryBytes(entries: number): number {
  return 2 + entries * 12 + 4
}

function directory(entries: readonly Entry[]): Buffer {
  const bytes = Buffer.alloc(directoryBytes(entries.length))
  bytes.writeUInt16LE(entries.length, 0)
  for (const [index, [tag, type, values]] of entries.entries()) {
    const at = 2 + index * 12
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(values.length, at + 4)
    if (type === 3) bytes.writeUInt16LE(values[0] ?? 0, at + 8)
    else bytes.writeUInt32LE(values[0] ?? 0, at + 8)
  }
  return bytes
}

/** Sigma: the offset of the directory is at the end. */
export function makeX3f(pixels: Buffer): Buffer {
  const header = Buffer.alloc(40)
  header.write('FOVb', 'latin1')
  const end = Buffer.alloc(12)
  end.write('SECd', 'latin1')
  end.writeUInt32LE(header.length + pixels.length, 8)
  return Buffer.concat([header, pixels, end])
}

/** Minolta: the header has the size of the picture. */
export function makeMrw(width: number, height: number): Buffer {
  const header = Buffer.alloc(48)
  header.write('\0MRM', 'latin1')
  header.writeUInt32BE(40, 4)
  header.write('\0PRD', 8, 'latin1')
  header.writeUInt16BE(height, 24)
  header.writeUInt16BE(width, 26)
  header[32] = 12
  return Buffer.concat([header, noise((width * height * 12) / 8)])
}

/** Bytes without long runs and without end markers of other formats. */
export function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => 1 + ((at * 37 + (at >> 3)) % 200)))
}
