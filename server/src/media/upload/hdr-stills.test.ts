import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures, viewingSizes } from '../../../test/fixtures/pictures.ts'
import { photoForm, send, untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../../test/library.ts'
import { makePng } from '../../../test/processing/colour-files.ts'

const SIZE = { width: 128, height: 64 }
let pictures = 0

/** A generated dusk sky; each file is unique, because uploads are deduplicated by hash. */
function makeStill(transfer?: 'pq' | 'hlg'): Buffer {
  const cicp = Buffer.of(9, transfer === 'pq' ? 16 : 18, 0, 1)
  const comment = Buffer.from(`Comment\0${++pictures}`, 'latin1')
  const at = (x: number, y: number) => [0.3 + x / 512, 0.4, 0.5 + y / 512]
  const chunks: [string, Buffer][] = [['tEXt', comment], ...(transfer ? [['cICP', cicp] as [string, Buffer]] : [])]
  return makePng({ ...SIZE, channels: 3, bits: 16, at }, { chunks })
}

/** Variants without tone mapping. */
async function madeByBrowser() {
  return makeClientPictures(
    await sharp({ create: { ...SIZE, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
}

onOneEngine('a still that a browser prepared', library => {
  const picturesOf = (urls: Record<(typeof viewingSizes)[number], string> | null) =>
    Promise.all(viewingSizes.map(async name => (await fetchFrom(library(), urls?.[name])).bytes))

  test.each(['pq', 'hlg'] as const)('is shown in the pictures of the server where it is HDR (%s)', async transfer => {
    const ben = await memberOf(library())
    const { files } = await send(ben, photoForm(`${transfer}.png`, makeStill(transfer), await madeByBrowser()))
    expect(files).toMatchObject([{ status: 'processing', variant_urls: null }])
    const prepared = await untilPrepared(ben, files[0]?.id ?? 0)
    const plain = await uploadFile(ben, { name: `${transfer}-plain.png`, bytes: makeStill(transfer) })
    const byServer = await untilPrepared(ben, plain.id)
    expect([prepared.status, byServer.status]).toEqual(['ready', 'ready'])
    const [shown, expected] = [await picturesOf(prepared.variant_urls), await picturesOf(byServer.variant_urls)]
    for (const [i, picture] of shown.entries()) expect(picture.equals(expected[i] ?? Buffer.of())).toBe(true)
  })

  test('keeps the pictures of the browser where it is not', async () => {
    const ben = await memberOf(library())
    const made = await madeByBrowser()
    const { files } = await send(ben, photoForm('ordinary.png', makeStill(), made))
    expect(files).toMatchObject([{ status: 'ready' }])
    const shown = await picturesOf(files[0]?.variant_urls ?? null)
    for (const [i, name] of viewingSizes.entries()) expect(shown[i]?.equals(made[name].bytes)).toBe(true)
  })
})
