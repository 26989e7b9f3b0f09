import { getMedia } from '#contract/media.ts'
import { untilPrepared } from '../server/test/fixtures/uploads.ts'
import { callerOn, sendPhoto } from './support/caller.ts'
import { expect, test } from './support/family.ts'

test('photos are loaded directly from the store, which the content security policy allows', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor')
  const ada = await callerOn(page)
  const { id } = await sendPhoto(ada, 'beach.jpg')
  await untilPrepared(ada, id)
  await page.reload()
  const shown = page.locator('img[data-loaded]').first()
  await expect(shown).toBeVisible()
  const store = new URL(process.env.S3_ENDPOINT ?? '').origin
  const [source, width] = await shown.evaluate((image: HTMLImageElement) => [image.currentSrc, image.naturalWidth])
  expect(source).toContain(store)
  expect(width).toBeGreaterThan(0)

  // Like a rehash: without credentials, cross-origin and under the page's Content-Security-Policy.
  const { download_url, file_size } = await ada.call(getMedia, { params: { id } })
  const read = await page.evaluate(async url => (await (await fetch(url)).arrayBuffer()).byteLength, download_url)
  expect(read).toBe(file_size)
})
