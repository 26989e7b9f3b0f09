import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { makeHeicGrid } from '../../../test/processing/heic-grid.ts'
import { differenceFromQuadrants, readQuadrants } from '../../../test/processing/pictures.ts'
import { startBench } from '../../../test/processing/start.ts'
import { makeHeifSequence, openClipFolder, PATIENCE } from '../../../test/processing/video-clips.ts'
import type { ImageFormat } from '../formats.ts'

vi.setConfig(PATIENCE)
const { processing, folder } = startBench()
const clipFolder = await openClipFolder()
afterAll(() => clipFolder[Symbol.asyncDispose]())

let count = 0
async function makeVariants(format: ImageFormat, content: Buffer) {
  const outDir = join(folder, String(count++))
  mkdirSync(outDir)
  const path = join(outDir, 'upload')
  writeFileSync(path, content)
  const made = await processing.makeVariants({ path, format, outDir })
  expect(await processing.measure({ path, format })).toMatchObject({ width: made.width, height: made.height })
  return made
}

/** A red frame, then a blue one. */
const moving = [
  ...['-f', 'lavfi', '-i', 'color=red:size=64x32:rate=2:duration=1'],
  ...['-f', 'lavfi', '-i', 'color=blue:size=64x32:rate=2:duration=1'],
  ...['-filter_complex', '[0][1]concat,format=yuv420p'],
]

async function expectRed(path: string | undefined): Promise<void> {
  const [[red, green, blue] = [0, 0, 0]] = await readQuadrants(path ?? '')
  expect(red).toBeGreaterThan(220)
  expect(Math.max(green, blue)).toBeLessThan(40)
}

test('of an animated AVIF the first picture is shown', async () => {
  const path = await clipFolder.make('moving.avif', ...moving, '-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '10')
  const file = readFileSync(path)
  expect(file.toString('latin1', 8, 12)).toBe('avis')
  const { variants } = await makeVariants('avif', file)
  for (const variant of variants) await expectRed(variant.path)
})

test('of a HEIF sequence without a main picture the first one is shown', async () => {
  const x265 = ['-c:v', 'libx265', '-x265-params', 'log-level=none:crf=10', '-tag:v', 'hvc1', '-movflags', '+faststart']
  const path = await clipFolder.make('sequence.mp4', ...moving, ...x265)
  await makeHeifSequence(path)
  const { variants, width, height } = await makeVariants('heic', readFileSync(path))
  expect([width, height]).toEqual([64, 32])
  for (const variant of variants) await expectRed(variant.path)
})

test('a HEIF sequence on which libheif traps is not called damaged, nor are photos after it', async () => {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x480:rate=10:duration=2', '-pix_fmt', 'yuv420p']
  const x265 = ['-c:v', 'libx265', '-x265-params', 'log-level=none:crf=16:bframes=4', '-tag:v', 'hvc1']
  const path = await clipFolder.make('reordered.mp4', ...source, ...x265, '-movflags', '+faststart')
  await makeHeifSequence(path)
  await expect(makeVariants('heic', readFileSync(path))).rejects.toMatchObject({
    failure: 'unsupported',
    message: "This kind of file can't be shown yet; the original is safe.",
  })
  const photo = makeHeicGrid(await makeTile(64), { columns: 1, rows: 1, tile: { width: 64, height: 64 } })
  expect(await makeVariants('heic', photo)).toMatchObject({ width: 64, height: 64, damaged: false })
})

/** The quadrants, encoded losslessly by libjxl. */
const jxl = {
  9: '/wrHMRJQXAgIAgEAyABLOGmYyoP3K0gIgEP+T4zx5/MCQQAMEHbDgAJn/YTe4hyAgnp+BGrZRr77gC6ufhkCTQ==',
  10: '/wrHUUBxIQgCAQDQAEs4aZjKg/crSAiAS/5PjDH+fF4gCIBBwm8YoABif0R24TqABe35I1irLdK1HwzBcglLows=',
  12: '/wrHYUBxIQgCAQDUAEs4aZjKg/crSAiAW/5PDMbP5wWCABgsHIcBKKDcf4CkgasDaNB7/iNoqzaElv5BrZKTsPa2',
} as const

test.each([9, 10, 12] as const)('a JXL of %i bits is shown', async bits => {
  const { variants } = await makeVariants('jxl', Buffer.from(jxl[bits], 'base64'))
  for (const variant of variants) expect(differenceFromQuadrants(await readQuadrants(variant.path))).toBeLessThan(8)
})

/** The same in linear light as floating-point numbers, as libjxl makes it of a PFM. */
const floatJxl =
  'AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAACKanhsY/8Kx8kBFC0CCAIBANABSxIpUb2AAhhwH8b7uAqCIAgp0PnM7MYY7Odj0Mbg3I8xePqVAAwAIRgAgjAAwAj7jwAI6tY33cqgBd65EjC2BmnTN91KAA6j2TJrlhaoU990K4E2eedKUj3A2HoIgE8VCBBuIFuu/L/HbAQWvIhipHkclgk='

test('a JXL of floating-point numbers is shown', async () => {
  const { variants } = await makeVariants('jxl', Buffer.from(floatJxl, 'base64'))
  for (const variant of variants) expect(differenceFromQuadrants(await readQuadrants(variant.path))).toBeLessThan(8)
})

test("a damaged JXL fails with a plain sentence, and the decoder's words are kept for the log", async () => {
  const whole = Buffer.from(jxl[12], 'base64')
  await expect(makeVariants('jxl', whole.subarray(0, 40))).rejects.toMatchObject({
    failure: 'unreadable',
    message: 'The file is damaged and could not be read.',
    cause: expect.stringContaining('ReadJXLImage'),
  })
})

async function makeTile(side: number): Promise<Buffer> {
  const x265 = ['-pix_fmt', 'yuv420p', '-c:v', 'libx265', '-x265-params', 'log-level=none:crf=20', '-f', 'hevc']
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=${side}x${side}`, '-frames:v', '1']
  return readFileSync(await clipFolder.make(`${side}.hevc`, ...source, ...x265))
}

// 58 megapixels are decoded tile by tile too, in a quarter of the time.
const [columns, rows] = process.env.LONG ? [32, 24] : [16, 14]
test(`a rotated HEIC of ${columns * rows} tiles is shown`, { timeout: 300_000 }, async () => {
  const quarterTurns = 3
  const tile = { width: 512, height: 512 }
  const hevc = await makeTile(512)
  const large = await makeVariants('heic', makeHeicGrid(hevc, { columns, rows, tile, quarterTurns, cut: 24 }))
  expect([large.width, large.height]).toEqual([rows * tile.height - 24, columns * tile.width - 24])
  // The same tiles in a picture small enough to be decoded as a whole must look the same, also at the cropped sides.
  const few = await makeVariants('heic', makeHeicGrid(hevc, { columns: 4, rows: 3, tile, quarterTurns, cut: 24 }))
  const fullOf = ({ variants }: typeof few) => variants.find(variant => variant.name === 'full')?.path ?? ''
  const corner = { left: 0, top: 0, width: 1_000, height: 1_000 }
  const [ours, theirs] = await Promise.all(
    [large, few].map(made => sharp(fullOf(made), { limitInputPixels: false }).extract(corner).raw().toBuffer()),
  )
  const differing = ours?.filter((value, at) => Math.abs(value - (theirs?.[at] ?? 0)) > 30).length ?? 0
  expect(differing).toBeLessThan(corner.width * corner.height * 0.001)
})

test('a JPEG of 300 megapixels is shown', { timeout: 300_000 }, async () => {
  const huge = sharp({
    create: { width: 20_000, height: 15_000, channels: 3, background: 'red' },
    limitInputPixels: false,
  })
  const { variants, width } = await makeVariants('jpeg', await huge.jpeg().toBuffer())
  expect(width).toBe(20_000)
  for (const variant of variants) await expectRed(variant.path)
})
