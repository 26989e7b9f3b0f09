import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import {
  greyProfile,
  inSpace,
  joinTiffPages,
  makePng,
  makeTiff,
  makeTiffOfPlanes,
  type RgbSpaceName,
  rgbProfile,
  rgbSpaces,
  type Samples,
  toLab,
  toXyz,
} from '../../../test/processing/colour-files.ts'
import { writeYcbcrTiff } from '../../../test/processing/magick.ts'
import {
  type Colour,
  differenceFromQuadrants,
  drawQuadrants,
  quadrantAt,
  readQuadrants,
} from '../../../test/processing/pictures.ts'
import { startBench } from '../../../test/processing/start.ts'
import type { ImageFormat } from '../formats.ts'

const { processing, folder } = startBench()
let count = 0

/** The colours of every variant converted to sRGB, whatever its profile. */
async function shown(format: ImageFormat, content: Buffer): Promise<Map<string, Colour[]>> {
  const outDir = join(folder, String(count++))
  mkdirSync(outDir)
  const path = join(folder, `${count}.upload`)
  writeFileSync(path, content)
  const { variants } = await processing.makeVariants({ path, format, outDir })
  const colours = variants.map(async variant => [variant.name, await readQuadrants(variant.path)] as const)
  return new Map(await Promise.all(colours))
}

const SIZE = { width: 64, height: 32 }

function patches(channels: number, bits: 8 | 16, encode: (colour: Colour) => readonly number[]): Samples {
  return { ...SIZE, channels, bits, at: (x, y) => encode(quadrantAt(x, y, SIZE)) }
}

/** Luminance of a colour. */
function lightness(colour: Colour): number {
  return Math.min(1, toXyz(colour)[1])
}

const spaces = Object.keys(rgbSpaces) as RgbSpaceName[]
const rgbCases = spaces.flatMap(space =>
  ([8, 16] as const).flatMap(bits => (['png', 'tiff'] as const).map(format => [format, bits, space] as const)),
)

test.each(rgbCases)('a %s of %i bits in %s keeps its colours in every size', async (format, bits, space) => {
  const samples = patches(3, bits, colour => inSpace(space, colour))
  const icc = rgbProfile(space)
  const file = format === 'png' ? makePng(samples, { icc }) : makeTiff(samples, 'rgb', icc)
  for (const [name, colours] of await shown(format, file)) {
    expect(differenceFromQuadrants(colours), name).toBeLessThanOrEqual(4)
  }
})

test.each(
  [1.8, 2.2].flatMap(gamma =>
    ([8, 16] as const).flatMap(bits => (['png', 'tiff'] as const).map(format => [format, bits, gamma] as const)),
  ),
)('a grey %s of %i bits and gamma %f is as light as it was', async (format, bits, gamma) => {
  const samples = patches(1, bits, colour => [lightness(colour) ** (1 / gamma)])
  const icc = greyProfile(gamma)
  const file = format === 'png' ? makePng(samples, { icc }) : makeTiff(samples, 'grey', icc)
  for (const [name, colours] of await shown(format, file)) {
    for (const [index, colour] of colours.entries()) {
      const original = quadrantAt((index % 2) * 40, index > 1 ? 30 : 0, SIZE)
      const expected = 255 * rgbSpaces.sRGB.encode(lightness(original))
      for (const value of colour) expect(Math.abs(value - expected), name).toBeLessThanOrEqual(4)
    }
  }
})

test.each([8, 16] as const)('a TIFF of %i bits for print keeps its colours', async bits => {
  const print = await drawQuadrants(64, 32).withIccProfile('cmyk').tiff().toBuffer()
  const { icc, space } = await sharp(print).metadata()
  expect(space).toBe('cmyk')
  const ink = await sharp(print).pipelineColourspace('cmyk').toColourspace('cmyk').raw().toBuffer()
  const at = (x: number, y: number) => [...ink.subarray((y * 64 + x) * 4, (y * 64 + x) * 4 + 4)].map(part => part / 255)
  const file = makeTiff({ ...SIZE, channels: 4, bits, at }, 'cmyk', icc)
  // CMYK has a smaller gamut than a screen: the reference is what the profile converts to.
  const expected = await readQuadrants(await sharp(print).png().toBuffer())
  for (const [name, colours] of await shown('tiff', file)) {
    const differences = colours.flatMap((colour, index) =>
      colour.map((value, part) => value - (expected[index]?.[part] ?? 0)),
    )
    expect(Math.max(...differences.map(Math.abs)), name).toBeLessThanOrEqual(5)
  }
})

test.each([8, 16] as const)('a TIFF of %i bits in CIELAB keeps its colours', async bits => {
  // L from 0 to the maximum; a and b are signed, with 8 fractional bits in 16-bit files.
  const most = bits === 8 ? 255 : 65_535
  const unit = bits === 8 ? 1 : 256
  const signed = (value: number) => ((Math.round(value * unit) + most + 1) % (most + 1)) / most
  const samples = patches(3, bits, colour => {
    const [lightness, a, b] = toLab(colour)
    return [lightness / 100, signed(a), signed(b)]
  })
  for (const [name, colours] of await shown('tiff', makeTiff(samples, 'lab'))) {
    expect(differenceFromQuadrants(colours), name).toBeLessThanOrEqual(bits === 8 ? 6 : 4)
  }
})

test('a TIFF of floats in CIELAB keeps its colours', async () => {
  const { width, height } = SIZE
  const file = await drawQuadrants(width, height).toColourspace('lab').tiff({ compression: 'none' }).toBuffer()
  expect(await sharp(file).metadata()).toMatchObject({ space: 'lab', depth: 'float' })
  for (const [name, colours] of await shown('tiff', file)) {
    expect(differenceFromQuadrants(colours), name).toBeLessThanOrEqual(4)
  }
})

test.each([8, 16] as const)(
  'a TIFF of %i bits with a plane for each colour, in tiles, is shown in colour',
  async bits => {
    const file = makeTiffOfPlanes(patches(3, bits, colour => colour.map(value => value / 255)))
    for (const colours of (await shown('tiff', file)).values()) expect(differenceFromQuadrants(colours)).toBeLessThan(8)
  },
)

test('a TIFF in YCbCr without JPEG compression keeps its colours', async () => {
  const file = await writeYcbcrTiff(await drawQuadrants(SIZE.width, SIZE.height).png().toBuffer())
  for (const colours of (await shown('tiff', file)).values()) expect(differenceFromQuadrants(colours)).toBeLessThan(8)
})

test('of a TIFF with a colour page and a grey one the colour page is shown, which is the first', async () => {
  const page = makeTiff(
    patches(3, 8, colour => colour.map(value => value / 255)),
    'rgb',
  )
  const file = joinTiffPages([
    page,
    makeTiff(
      patches(1, 8, colour => [lightness(colour)]),
      'grey',
    ),
    page,
  ])
  for (const colours of (await shown('tiff', file)).values()) expect(differenceFromQuadrants(colours)).toBeLessThan(8)
})

test.each([undefined, greyProfile(2.2)])(
  'a black drawing on nothing, as a grey PNG of 16 bits, stays visible',
  async icc => {
    // All of it is black: only the alpha channel tells the drawing from its ground.
    const samples: Samples = { ...SIZE, channels: 2, bits: 16, at: x => [0, x < SIZE.width / 2 ? 1 : 0] }
    const path = join(folder, `drawing-${count++}.png`)
    const outDir = join(folder, String(count++))
    mkdirSync(outDir)
    writeFileSync(path, makePng(samples, icc ? { icc } : {}))
    const { variants } = await processing.makeVariants({ path, format: 'png', outDir })
    for (const variant of variants) {
      const { data, info } = await sharp(variant.path)
        .flatten({ background: 'white' })
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(data[Math.floor(info.width * 0.25) * info.channels]).toBe(0)
      expect(data[Math.floor(info.width * 0.75) * info.channels]).toBe(255)
    }
  },
)
