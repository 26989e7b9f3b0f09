import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { expect, test } from 'vitest'
import type { VariantName } from '#contract/limits.ts'
import { drawQuadrants } from '../test-support/pictures.ts'
import { startBench } from '../test-support/start.ts'

const { processing, folder } = startBench()
const photo = { width: 4_032, height: 3_024 }
let count = 0

async function check(
  name: VariantName,
  content: Sharp | Buffer,
  claim: { original?: { width: number; height: number }; originalFormat?: string } = {},
) {
  const path = join(folder, `${count++}`)
  writeFileSync(path, Buffer.isBuffer(content) ? content : await content.toBuffer())
  return processing.checkVariant({ path, name, originalFormat: 'jpeg', original: photo, ...claim })
}

test('a thumbnail as it should be is taken', async () => {
  const verdict = await check('thumbnail', drawQuadrants(300, 225).jpeg())
  expect(verdict).toMatchObject({ ok: true, width: 300, height: 225, mime: 'image/jpeg' })
  expect(verdict).toHaveProperty('thumbhash', expect.stringMatching(/^[\w+/=]{20,}$/))
})

test('a picture may be rounded either way, and smaller than it might be', async () => {
  const original = { width: 1_000, height: 667 }
  expect(await check('thumbnail', drawQuadrants(300, 200).jpeg(), { original })).toMatchObject({ ok: true })
  expect(await check('thumbnail', drawQuadrants(300, 201).jpeg(), { original })).toMatchObject({ ok: true })
  expect(await check('thumbnail', drawQuadrants(150, 100).jpeg(), { original })).toMatchObject({ ok: true })
})

test('the full picture is as large as the original', async () => {
  expect(await check('full', drawQuadrants(403, 302).jpeg(), { original: { width: 403, height: 302 } })).toMatchObject({
    ok: true,
  })
})

test.each([
  ['one that is too large for its kind', drawQuadrants(400, 300).jpeg(), 'At 400 × 300 it is too large for its kind.'],
  ['one of another shape', drawQuadrants(300, 300).jpeg(), 'At 300 × 300 it has another shape than the original.'],
  ['a PNG of a JPEG', drawQuadrants(300, 225).png(), 'It is not a JPEG file.'],
  ['a WebP', drawQuadrants(300, 225).webp(), 'It is not a JPEG file.'],
  ['a page', Buffer.from('<html><script>alert(1)</script>'), 'It is not a JPEG file.'],
  ['nothing', Buffer.alloc(0), 'It is not a JPEG file.'],
  [
    'one that lies on its side',
    drawQuadrants(300, 225).withMetadata({ orientation: 6 }).jpeg(),
    'It does not stand upright by itself.',
  ],
  [
    'one that tells where it was taken',
    drawQuadrants(300, 225)
      .withExif({ IFD0: { Artist: 'Ada' } })
      .jpeg(),
    'It carries metadata of its own.',
  ],
])('%s is refused', async (_what, content, reason) => {
  expect(await check('thumbnail', content)).toEqual({ ok: false, reason })
})

test('one larger than the original is refused', async () => {
  const original = { width: 200, height: 150 }
  expect(await check('thumbnail', drawQuadrants(300, 225).jpeg(), { original })).toEqual({
    ok: false,
    reason: 'At 300 × 225 it is larger than the original.',
  })
})

test('a PNG takes PNG alone', async () => {
  const png = { originalFormat: 'png' }
  expect(await check('thumbnail', drawQuadrants(300, 225).png(), png)).toMatchObject({ ok: true, mime: 'image/png' })
  expect(await check('thumbnail', drawQuadrants(300, 225).jpeg(), png)).toEqual({
    ok: false,
    reason: 'It is not a PNG file.',
  })
})

test('one whose pixels break off is refused, though its header is right', async () => {
  const whole = await drawQuadrants(300, 225).jpeg().toBuffer()
  expect(await check('thumbnail', whole.subarray(0, whole.length - 400))).toEqual({
    ok: false,
    reason: expect.stringContaining('damaged'),
  })
})

test('the size of an original is measured as it is seen', async () => {
  const path = join(folder, 'sideways.jpg')
  writeFileSync(path, await drawQuadrants(400, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer())
  expect(await processing.measure({ path, format: 'jpeg' })).toEqual({
    width: 300,
    height: 400,
    hdr: false,
  })
})
