import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { rotations } from '#contract/limits.ts'
import { getMedia, type MediaFileWithMetadata, rotateMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { fetchFrom } from '../../test/fixtures/addresses.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makeClientPictures, viewingSizes } from '../../test/fixtures/pictures.ts'
import { photoForm, send, untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onOtherEngine, type SignedIn } from '../../test/library.ts'
import { drawQuadrants, quadrants, readQuadrants, storeFor } from '../../test/processing/pictures.ts'
import { applyOrientation, rotateOrientation, toPixels } from '../processing/images/pixels.ts'

const [red, green, blue, white] = quadrants

/** The colours of the quadrants after a rotation, row by row. */
const turned = { 90: [blue, red, white, green], 180: [white, blue, green, red], 270: [green, white, red, blue] }

async function untilTurned(person: SignedIn, id: number): Promise<MediaFileWithMetadata> {
  const file = () => person.call(getMedia, { params: { id } })
  const saved = (await file()).rotation?.saved ?? 0
  await expect.poll(async () => (await file()).rotation?.variants ?? 0, { timeout: 55_000 }).toBe(saved)
  return file()
}

function expectNear(colours: readonly (readonly number[])[], expected: readonly (readonly number[])[]): void {
  const differences = colours.flat().map((value, i) => Math.abs(value - (expected.flat()[i] ?? 0)))
  expect(Math.max(...differences)).toBeLessThan(30)
}

onOtherEngine('a photo', library => {
  const bytesAt = async (url: string | null | undefined) => (await fetchFrom(library(), url)).bytes

  test('is turned for everyone and back again, and its original stays as it is', async () => {
    const [ben, rose, ada] = [
      await memberOf(library()),
      await memberOf(library(), 'rose'),
      await memberOf(library(), 'ada'),
    ]
    const bytes = await storeFor(6, drawQuadrants(120, 80)).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const uploaded = await uploadFile(ben, { name: 'lying.jpg', bytes })
    const { id } = uploaded
    const before = await untilPrepared(ben, id)
    expect(before).toMatchObject({ width: 120, height: 80, rotation: null })

    const saved = await rose.call(rotateMedia, { params: { id }, body: { rotation: 90 } })
    expect(saved.rotation).toEqual({ saved: 90, variants: 0, url: 0 })
    const file = await untilTurned(ben, id)
    expect(file).toMatchObject({ width: 80, height: 120, rotation: { saved: 90, variants: 90, url: 0 } })
    expect(file.thumbhash).not.toBe(before.thumbhash)
    for (const size of viewingSizes) {
      expect(file.variant_urls?.[size]).not.toBe(before.variant_urls?.[size])
      expectNear(await readQuadrants(await bytesAt(file.variant_urls?.[size])), turned[90])
    }
    expect(await bytesAt(file.url)).toEqual(bytes)
    expect(await bytesAt(file.download_url)).toEqual(bytes)
    const { files } = await ben.call(listMedia, { query: { search: 'lying' } })
    expect(files).toMatchObject([{ id, width: 80, height: 120, rotation: file.rotation }])

    // The same again changes nothing.
    await rose.call(rotateMedia, { params: { id }, body: { rotation: 90 } })
    await rose.call(rotateMedia, { params: { id }, body: { rotation: 0 } })
    const back = await untilTurned(ben, id)
    expect(back).toMatchObject({ width: 120, height: 80, rotation: null })
    expectNear(await readQuadrants(await bytesAt(back.thumbnail_url)), quadrants)

    const lines = await ada.call(listActivity, { query: { media_id: id } })
    expect(lines.map(line => [line.actor?.username, line.act, line.before])).toEqual([
      ['rose', 'media.rotate', { rotation: 90 }],
      ['rose', 'media.rotate', { rotation: 0 }],
      ['ben', 'media.upload', null],
    ])
  })

  test('whose original browsers cannot show gets a turned full-size version', async () => {
    const ben = await memberOf(library())
    const bytes = await drawQuadrants(100, 60).tiff().toBuffer()
    const { id } = await uploadFile(ben, { name: 'scan.tif', bytes })
    await untilPrepared(ben, id)
    await ben.call(rotateMedia, { params: { id }, body: { rotation: 270 } })
    const file = await untilTurned(ben, id)
    expect(file).toMatchObject({ width: 60, height: 100, rotation: { saved: 270, variants: 270, url: 270 } })
    expectNear(await readQuadrants(await bytesAt(file.url)), turned[270])
  })

  test('that a browser has prepared is turned, also before the server has looked at it', async () => {
    const ben = await memberOf(library())
    const bytes = await drawQuadrants(140, 90).jpeg().toBuffer()
    const { files } = await send(ben, photoForm('early.jpg', bytes, await makeClientPictures(bytes)))
    const id = files[0]?.id ?? 0
    await ben.call(rotateMedia, { params: { id }, body: { rotation: 90 } })
    await ben.call(rotateMedia, { params: { id }, body: { rotation: 180 } })
    await untilPrepared(ben, id)
    const file = await untilTurned(ben, id)
    expect(file).toMatchObject({ width: 140, height: 90, rotation: { saved: 180, variants: 180, url: 0 } })
    expectNear(await readQuadrants(await bytesAt(file.thumbnail_url)), turned[180])
  })

  test('is turned back by an undo, unless somebody has turned it since', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const [id = 0] = await insertMedia(library(), [{ name: 'askew.jpg' }])
    const turn = (person: SignedIn, body: ParsedInput<typeof rotateMedia>['body']) =>
      person.call(rotateMedia, { params: { id }, body })
    await turn(ben, { rotation: 90 })
    expect(await turn(ben, { rotation: 0, expected: 90 })).toMatchObject({ rotation: null })
    await turn(ben, { rotation: 90 })
    await turn(rose, { rotation: 180 })
    await expect(turn(ben, { rotation: 0, expected: 90 })).rejects.toMatchObject({ status: 409 })
    expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ rotation: { saved: 180 } })
  })

  test('is turned by quarters only, and a video not at all', async () => {
    const ben = await memberOf(library())
    const [photo = 0, film = 0] = await insertMedia(library(), [
      { name: 'still.jpg' },
      { name: 'film.mp4', type: 'video' },
    ])
    const rotate = (id: number, rotation: unknown) =>
      ben.fetch(`/api/media/${id}/rotation`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ rotation }),
      })
    for (const wrong of [45, 360, -90]) expect((await rotate(photo, wrong)).status).toBe(422)
    for (const wrong of ['90', null, undefined]) expect((await rotate(photo, wrong)).status).toBe(400)
    expect((await rotate(film, 90)).status).toBe(409)
    expect((await rotate(999_999_999, 90)).status).toBe(404)
  })
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a rotation is added to EXIF orientation %i', async orientation => {
  const stored = await storeFor(orientation, drawQuadrants(40, 20)).png().toBuffer()
  for (const degrees of rotations) {
    const combined = applyOrientation(sharp(stored), rotateOrientation(orientation, degrees))
    expect(await toPixels(combined)).toEqual(await toPixels(drawQuadrants(40, 20).rotate(degrees)))
  }
})
