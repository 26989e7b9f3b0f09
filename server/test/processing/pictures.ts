import sharp, { type Sharp } from 'sharp'

export type Colour = readonly [red: number, green: number, blue: number]

/** Red and green above, blue and white below: every rotation and mirroring is detectable. */
export const quadrants: readonly [Colour, Colour, Colour, Colour] = [
  [200, 40, 40],
  [40, 160, 40],
  [40, 40, 200],
  [230, 230, 230],
]

export function quadrantAt(x: number, y: number, { width, height }: { width: number; height: number }): Colour {
  return quadrants[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? quadrants[0]
}

export function drawQuadrants(width: number, height: number): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(quadrantAt(x, y, { width, height }), (y * width + x) * 3)
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** The colours at the centres of the four quadrants, row by row. */
export async function readQuadrants(picture: string | Buffer): Promise<Colour[]> {
  const { data, info } = await sharp(picture)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [0.25, 0.75].flatMap(down =>
    [0.25, 0.75].map((across): Colour => {
      const at = (Math.floor(info.height * down) * info.width + Math.floor(info.width * across)) * 3
      return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
    }),
  )
}

/** The largest difference of any colour from the original. */
export function differenceFromQuadrants(colours: Colour[]): number {
  const differences = colours.flatMap((colour, corner) =>
    colour.map((value, channel) => Math.abs(value - (quadrants[corner]?.[channel] ?? 0))),
  )
  return Math.max(...differences)
}

/** How a picture must be stored so that each EXIF orientation makes it upright. */
export function storeFor(orientation: number, upright: Sharp): Sharp {
  const inverse: Record<number, (image: Sharp) => Sharp> = {
    1: image => image,
    2: image => image.flop(),
    3: image => image.rotate(180),
    4: image => image.flip(),
    5: image => image.flip().rotate(90),
    6: image => image.rotate(270),
    7: image => image.flop().rotate(90),
    8: image => image.rotate(90),
  }
  const turn = inverse[orientation]
  if (!turn) throw new Error(`There is no orientation ${orientation}`)
  return turn(upright)
}

/** Octaves of noise: cells across, and amplitude. */
const octaves: readonly [cells: number, strength: number][] = [
  [4, 120],
  [12, 70],
  [40, 40],
  [150, 22],
  [600, 12],
  [2_000, 16],
  [4_000, 14],
]

/** A generated picture with detail at every scale, as in photos; deterministic by seed. */
export async function drawPhoto(width: number, height: number, seed = 1): Promise<Sharp> {
  const random = randomNumbers(seed)
  const sum = new Int16Array(width * height * 3).fill(128)
  for (const [cells, strength] of octaves.filter(([cells]) => cells <= width)) {
    const rows = Math.max(2, Math.round((cells * height) / width))
    const noise = Buffer.alloc(cells * rows * 3)
    for (let at = 0; at < noise.length; at++) noise[at] = 128 + Math.round((random() - 0.5) * strength)
    const layer = await sharp(noise, { raw: { width: cells, height: rows, channels: 3 } })
      .resize(width, height, { kernel: 'cubic', fit: 'fill' })
      .raw()
      .toBuffer()
    for (let at = 0; at < layer.length; at++) sum[at] = (sum[at] ?? 0) + (layer[at] ?? 0) - 128
  }
  const data = Buffer.from(new Uint8ClampedArray(sum))
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** Deterministic pseudo-random numbers from 0 (inclusive) to 1 (exclusive). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Like a memory card that returns a block of another file: JPEG bytes with markers that do not belong here. */
export function loseBlock(jpeg: Buffer): Buffer {
  const damaged = Buffer.from(jpeg)
  const middle = Math.floor(jpeg.length / 2)
  for (let at = 0; at < 512; at++) damaged[middle + at] = at % 64 === 0 ? 0xff : at % 64 === 1 ? 0xd3 : at & 0x7f
  return damaged
}

/** A minimal Fujifilm RAW file: a header with the offset of the preview. */
export function makeRaf(preview: Buffer): Buffer {
  const header = Buffer.alloc(160)
  header.write('FUJIFILMCCD-RAW 0201FF383501X-T1')
  header.writeUInt32BE(header.length, 84)
  header.writeUInt32BE(preview.length, 88)
  return Buffer.concat([header, preview])
}

/** A minimal Canon CRW file with camera, preview and thumbnail: records, then their directory. */
export function makeCrw(preview: Buffer, thumbnail: Buffer): Buffer {
  const header = Buffer.alloc(26)
  header.write('II')
  header.writeUInt32LE(header.length, 2)
  header.write('HEAPCCDR', 6)
  const records: [tag: number, content: Buffer][] = [
    [0x080a, Buffer.from('Canon\0Canon EOS D30\0')],
    [0x2007, preview],
    [0x2008, thumbnail],
  ]
  let end = 0
  const directory = records.map(([tag, content]) => {
    const entry = Buffer.alloc(10)
    entry.writeUInt16LE(tag)
    entry.writeUInt32LE(content.length, 2)
    entry.writeUInt32LE(end, 6)
    end += content.length
    return entry
  })
  const count = Buffer.alloc(2)
  count.writeUInt16LE(records.length)
  const directoryAt = Buffer.alloc(4)
  directoryAt.writeUInt32LE(end)
  return Buffer.concat([header, ...records.map(([, content]) => content), count, ...directory, directoryAt])
}
