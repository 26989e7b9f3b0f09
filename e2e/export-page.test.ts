import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { libraryScript, pageFiles, yearScript } from '#server/export/page.ts'

const hostile = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">\u2028'
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** An export of these photos, without the photos but for the first. */
async function exported(photos: object[]): Promise<{ address: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-export-'))
  const album = {
    ...{ title: `Best ${hostile}`, description: hostile, cover: null, files: ['2019/2019-05/a #1?.gif'] },
    comments: [{ by: { name: hostile, username: 'x' }, at: '2024-01-01T00:00:00.000Z', text: hostile }],
  }
  const years = [
    { year: '2019', files: photos.length },
    { year: 'undated', files: 1 },
  ]
  const files = [
    ...pageFiles(),
    yearScript('2019', photos),
    yearScript('undated', [{ p: 'undated/x.heic', u: 'Ben' }]),
    libraryScript({ title: `Our family ${hostile}`, years, albums: [album] }),
  ]
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await mkdir(join(folder, '2019/2019-05'), { recursive: true })
  await writeFile(join(folder, '2019/2019-05/a #1?.gif'), pixel)
  return { address: pathToFileURL(join(folder, 'index.html')).href, remove: () => rm(folder, { recursive: true }) }
}

const first = {
  ...{ p: '2019/2019-05/a #1?.gif', s: 1, u: hostile, d: '1974-22~', c: `Großmutter ${hostile}`, w: 'Lisbon' },
  ...{ t: [hostile], h: ['Ben'], f: hostile, n: [{ by: hostile, at: '2024-01-01T00:00:00.000Z', text: hostile }] },
}
const isHacked = (page: Page) => page.evaluate(() => 'hacked' in window)

test('the page of an export shows photos, albums and notes from a disk, as text whatever they contain', async ({
  browser,
}) => {
  const { address, remove } = await exported([first])
  const context = await browser.newContext({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('heading', { name: 'Mai 2019' })).toBeVisible()
  await page.getByRole('button', { name: 'Großmutter' }).click()
  const viewer = page.getByRole('dialog')
  await expect(viewer.getByText('etwa Sommer 1974')).toBeVisible()
  await expect(viewer.getByText(hostile.trim(), { exact: false }).first()).toBeVisible()
  await expect
    .poll(() => viewer.locator('.stage img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Alben' }).click()
  await page.getByRole('link', { name: 'Best' }).click()
  await expect(page.getByRole('button', { name: 'Großmutter' })).toBeVisible()
  await page.getByRole('link', { name: 'Ohne Datum' }).click()
  await expect(page.getByText('x.heic')).toBeVisible()
  await page.getByRole('searchbox').fill('grossmutter lissabon')
  await expect(page.getByText('Hier ist nichts.')).toBeVisible()
  await page.getByRole('searchbox').fill('großmutter LISBON')
  await expect(page.getByRole('button', { name: 'Großmutter' })).toBeVisible()
  expect(await isHacked(page)).toBe(false)
  // Not even a script that got into the page.
  await page.evaluate(html => document.body.insertAdjacentHTML('beforeend', html), hostile)
  expect(await isHacked(page)).toBe(false)
  await context.close()
  await remove()
})

test('the page of an export with 100,000 photos of one year has few elements, and finds each', async ({ browser }) => {
  const photos = Array.from({ length: 100_000 }, (_, i) => ({
    p: `2019/2019-05/${i}.jpg`,
    s: 1,
    u: 'Ada',
    c: `Photo ${i}`,
  }))
  const { address, remove } = await exported(photos)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'Photo 0,' })).toBeVisible()
  expect(await page.locator('*').count()).toBeLessThan(3_000)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.getByRole('button', { name: 'Photo 99999,' })).toBeVisible()
  expect(await page.locator('*').count()).toBeLessThan(3_000)
  await page.getByRole('searchbox').fill('photo 54321')
  await expect(page.getByRole('button', { name: 'Photo 54321,' })).toBeVisible()
  await page.close()
  await remove()
})
