import { mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ExifTool } from 'exiftool-vendored'
import { expect, onTestFinished, test } from 'vitest'
import { changeDates } from '#contract/dates.ts'
import { links, zips } from '#contract/limits.ts'
import { captionMedia, deleteMedia, getMedia, renameMedia, requestZip, zipPath } from '#contract/media.ts'
import { revokePerson } from '#contract/people.ts'
import { correctPlaces } from '#contract/places.ts'
import { Browser } from '../../../test/browser.ts'
import { temporaryFolder } from '../../../test/cli-tools.ts'
import { guestOf, makeLink } from '../../../test/fixtures/guests.ts'
import { insertMedia } from '../../../test/fixtures/insert-media.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { unzip } from '../../../test/fixtures/unzip.ts'
import { uploadFile } from '../../../test/fixtures/uploads.ts'
import { type Library, onOneEngine, type SignedIn } from '../../../test/library.ts'

const gone = 999_999_999

async function uploadNamed(person: SignedIn, name: string) {
  const bytes = await makePicture()
  const { id } = await uploadFile(person, { name, bytes })
  return { id, name, bytes }
}

async function fetchZip(library: Library, url: string): Promise<Buffer> {
  const response = await library.anyone.fetch(url)
  expect(response.status).toBe(200)
  const archive = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-length')).toBe(String(archive.length))
  return archive
}

async function pathOfOriginal(library: Library, id: number): Promise<string> {
  const [part] = await library.rows(`select key from media_parts where media_id = ${id} and kind = 'original'`)
  return join(library.config.dataFolder, 'files', String(part?.key))
}

/** More than the sockets buffer, so that a ZIP of it stays open until it is read. */
async function largeFile(library: Library): Promise<number> {
  const [id = 0] = await insertMedia(library, [{ name: 'film.mp4', size: 32_000_000 }])
  const path = await pathOfOriginal(library, id)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.alloc(32_000_000))
  return id
}

onOneEngine('a ZIP', library => {
  test('holds the originals byte for byte, in the order they were chosen, equal names kept apart', async () => {
    const ben = await memberOf(library())
    const files = [
      await uploadNamed(ben, 'IMG_1.jpg'),
      await uploadNamed(ben, 'Großmutter 東京.jpg'),
      await uploadNamed(ben, 'img_1.JPG'),
    ]
    const fileIds = [...files.map(file => file.id).toReversed(), gone, files[0]?.id ?? 0]
    const { url, file_count, size } = await ben.call(requestZip, { body: { fileIds } })
    expect(file_count).toBe(3)
    expect(size).toBe(files.reduce((sum, { bytes }) => sum + bytes.length, 0))
    const unzipped = unzip(await fetchZip(library(), url))
    expect(unzipped.map(({ name, bytes }) => ({ name, bytes }))).toEqual([
      { name: 'img_1.JPG', bytes: files[2]?.bytes },
      { name: 'Großmutter 東京.jpg', bytes: files[1]?.bytes },
      { name: 'IMG_1 (2).jpg', bytes: files[0]?.bytes },
    ])
  })

  test('has what people have corrected beside the originals, as other programs read it', async () => {
    const ben = await memberOf(library())
    const [exact, year, same] = [
      await uploadNamed(ben, 'exact.jpg'),
      await uploadNamed(ben, 'year.jpg'),
      await uploadNamed(ben, 'same.jpg'),
    ]
    const set = (id: number, edtf: string) =>
      ben.call(changeDates, { body: { fileIds: [id], change: { kind: 'set', edtf } } })
    await set(exact.id, '2015-02-12T14:30:00+02:00')
    await set(year.id, '1950~')
    const place = { latitude: 38.7222, longitude: -9.1393 }
    await ben.call(correctPlaces, { body: { fileIds: [exact.id], place } })
    await ben.call(captionMedia, { params: year, body: { caption: 'Oma & Opa' } })
    const { url, file_count, size } = await ben.call(requestZip, { body: { fileIds: [exact.id, year.id, same.id] } })
    const unzipped = unzip(await fetchZip(library(), url))
    const names = ['exact.jpg', 'exact.jpg.xmp', 'year.jpg', 'year.jpg.xmp', 'same.jpg']
    expect([file_count, unzipped.map(({ name }) => name)]).toEqual([3, names])
    expect(size).toBe(unzipped.reduce((sum, { bytes }) => sum + bytes.length, 0))
    expect(unzipped[0]?.bytes).toEqual(exact.bytes)

    const exiftool = new ExifTool()
    onTestFinished(() => exiftool.end())
    const folder = await temporaryFolder()
    const read = async (name: string) => {
      const path = join(folder, name)
      await writeFile(path, unzipped.find(file => file.name === name)?.bytes ?? '')
      return exiftool.readRaw(path, ['-n'])
    }
    const tags = await read('exact.jpg.xmp')
    expect(tags.DateTimeOriginal).toBe('2015:02:12 14:30:00+02:00')
    expect(Number(tags.GPSLatitude)).toBeCloseTo(place.latitude, 5)
    expect(Number(tags.GPSLongitude)).toBeCloseTo(place.longitude, 5)
    expect(await read('year.jpg.xmp')).toMatchObject({ DateCreated: 1950, Description: 'Oma & Opa' })
    expect(String(unzipped[3]?.bytes)).toContain('<heirloom:Edtf>1950~</heirloom:Edtf>')
  })

  test('is saved by a browser, under the name of the library, and kept by no cache', async () => {
    const ben = await memberOf(library())
    const { id } = await uploadNamed(ben, 'a.jpg')
    const { url } = await ben.call(requestZip, { body: { fileIds: [id] } })
    const head = await library().anyone.fetch(url, { method: 'HEAD' })
    const whole = await fetchZip(library(), url)
    expect(head.status).toBe(200)
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(whole.length),
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(/^attachment; filename="Heirloom \d{4}-\d\d-\d\d\.zip"$/),
      'x-content-type-options': 'nosniff',
    })
    const named = await library().anyone.fetch(`${url}&name=Summer%20in%20Lisbon`, { method: 'HEAD' })
    expect(named.headers.get('content-disposition')).toBe('attachment; filename="Summer in Lisbon.zip"')
  })

  test('has the names that files have when it is fetched, and no file that is gone by then', async () => {
    const ben = await memberOf(library())
    const [one, two] = [await uploadNamed(ben, 'one.jpg'), await uploadNamed(ben, 'two.jpg')]
    const { url } = await ben.call(requestZip, { body: { fileIds: [one.id, two.id] } })
    await ben.call(renameMedia, { params: { id: one.id }, body: { newName: '../../évil:name.jpg' } })
    await ben.call(deleteMedia, { params: { id: two.id } })
    const unzipped = unzip(await fetchZip(library(), url))
    expect(unzipped.map(file => file.name)).toEqual(['.._.._évil_name.jpg'])
    await ben.call(deleteMedia, { params: { id: one.id } })
    expect((await library().anyone.fetch(url)).status).toBe(404)
  })

  test('holds no file whose ending would open it as something else, and neither does a download', async () => {
    const ben = await memberOf(library())
    const names = ['page.html', 'drawing.svg', 'program.exe', 'short.jpg\u202E.hta']
    const files = await Promise.all(names.map(name => uploadNamed(ben, name)))
    const { url } = await ben.call(requestZip, { body: { fileIds: files.map(file => file.id) } })
    const saved = ['page.html.jpg', 'drawing.svg.jpg', 'program.exe.jpg', 'short.jpg.hta.jpg']
    expect(unzip(await fetchZip(library(), url)).map(file => file.name)).toEqual(saved)
    for (const [i, { id }] of files.entries()) {
      const file = await ben.call(getMedia, { params: { id } })
      expect(file.original_name).toBe(names[i])
      const response = await library().anyone.fetch(file.download_url)
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${saved[i]}"`)
      await response.arrayBuffer()
    }
  })

  test('can be fetched for some minutes only, and not by somebody who lost access', async () => {
    const ada = await library().admin()
    const member = await library().newMember()
    const { id } = await uploadNamed(member, 'mine.jpg')
    const { url } = await member.call(requestZip, { body: { fileIds: [id] } })
    await fetchZip(library(), url)
    const personId = await library().idOf(member.person)
    await ada.call(revokePerson, { params: { id: personId } })
    expect((await library().anyone.fetch(url)).status).toBe(403)

    const again = await ada.call(requestZip, { body: { fileIds: [id] } })
    library().pass(zips.orderTtl - 1_000)
    await fetchZip(library(), again.url)
    library().pass(2_000)
    const late = await library().anyone.fetch(again.url)
    expect(late.status).toBe(403)
    expect(await late.json()).toMatchObject({ code: 'forbidden' })
  })

  test('opens to nobody who guesses', async () => {
    const ben = await memberOf(library())
    const { id } = await uploadNamed(ben, 'secret.jpg')
    const { url } = await ben.call(requestZip, { body: { fileIds: [id] } })
    const order = new URL(url, library().url).searchParams.get('order') ?? ''
    expect(order).toMatch(/^[\w-]{43}$/)
    const [stored] = await library().rows('select token_hash from zip_downloads limit 1')
    const guesses = [
      '',
      order.slice(1),
      `${order}a`,
      order.toLowerCase(),
      String(stored?.token_hash),
      'x'.repeat(5_000),
    ]
    for (const guess of guesses) {
      const response = await ben.fetch(`${zipPath}?order=${encodeURIComponent(guess)}`)
      expect([guess, response.status]).toEqual([guess, 403])
    }
    for (const query of ['', '?order[]=1', `?order=${order}&order=${order}`]) {
      expect((await ben.fetch(`${zipPath}${query}`)).status).toBe(403)
    }
    expect(library().log.join('')).not.toContain(order)
  })

  test('is of at least one file that is there', async () => {
    const ben = await memberOf(library())
    const send = async (fileIds: unknown) => {
      const headers = { 'content-type': 'application/json' }
      return (await ben.fetch(requestZip.path, { method: 'POST', headers, body: JSON.stringify({ fileIds }) })).status
    }
    expect(await send([])).toBe(422)
    expect(await send([gone])).toBe(404)
    expect(await send(['1'])).toBe(400)
    expect(await send([-1])).toBe(422)
    expect(await send(undefined)).toBe(400)
    expect(await send(Array.from({ length: 100_001 }, (_, i) => i + 1))).toBe(422)
    expect(await send(Array.from({ length: 100_000 }, (_, i) => i + 500_000))).toBe(404)
  })

  test('breaks off visibly when the bytes of a file are not there any more', async () => {
    const ben = await memberOf(library())
    const [fine, missing, short] = [
      await uploadNamed(ben, 'fine.jpg'),
      await uploadNamed(ben, 'missing.jpg'),
      await uploadNamed(ben, 'short.jpg'),
    ]
    await rm(await pathOfOriginal(library(), missing.id))
    await truncate(await pathOfOriginal(library(), short.id), 10)
    for (const broken of [missing, short]) {
      const { url } = await ben.call(requestZip, { body: { fileIds: [fine.id, broken.id, fine.id] } })
      const fetching = library().anyone.fetch(url)
      await expect(fetching.then(response => response.arrayBuffer())).rejects.toThrow()
    }
    // The server is none the worse for it.
    const { url } = await ben.call(requestZip, { body: { fileIds: [fine.id] } })
    expect(unzip(await fetchZip(library(), url))).toHaveLength(1)
  })

  test('can be ordered of thousands of large files', async () => {
    const ben = await memberOf(library())
    const ids = await insertMedia(
      library(),
      Array.from({ length: 3_000 }, (_, i) => ({ name: `${i}.jpg`, size: 5e9 })),
    )
    expect(await ben.call(requestZip, { body: { fileIds: ids } })).toMatchObject({ file_count: 3_000, size: 15e12 })
  })

  test('is one of a few at a time for one person, says so, and makes room when the client goes away', async () => {
    const [ben, rose] = [await library().newViewer(), await library().newMember()]
    const id = await largeFile(library())
    const order = (person: SignedIn) => person.call(requestZip, { body: { fileIds: [id] } })
    const { url } = await order(ben)
    const unread = await Promise.all(Array.from({ length: zips.ofPerson.zips }, () => library().anyone.fetch(url)))
    expect(unread.map(({ status }) => status)).toEqual(unread.map(() => 200))

    const refused = await library().anyone.fetch(url)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests', error: expect.stringContaining('ZIP') })
    await expect(order(ben)).rejects.toMatchObject({ status: 429 })
    // Before its files are looked up.
    await expect(ben.call(requestZip, { body: { fileIds: [gone] } })).rejects.toMatchObject({ status: 429 })
    const ofRose = await library().anyone.fetch((await order(rose)).url, { method: 'HEAD' })
    expect(ofRose.status).toBe(200)

    for (const { body } of unread) await body?.cancel()
    const ask = async () => (await library().anyone.fetch(url, { method: 'HEAD' })).status
    await expect.poll(ask, { interval: 200, timeout: 20_000 }).toBe(200)
  })

  test('of a member and of a guest are limited together', async () => {
    const [id, ben] = [await largeFile(library()), await memberOf(library())]
    const unread: Response[] = []
    onTestFinished(async () => {
      for (const { body } of unread) await body?.cancel()
    })
    const openMost = async (most: number, open: () => Promise<Response>) => {
      const responses = await Promise.all(Array.from({ length: most }, open))
      unread.push(...responses)
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    }
    const byLink = links.zipsOfGuests.zips / 2
    for (let link = 0; link < 2; link++) {
      const shared = await makeLink(ben, { fileIds: [id], originals: true })
      for (let i = 0; i < byLink / links.zipsOfAddress.zips; i++) {
        const guest = guestOf(library(), shared, new Browser(`10.77.${link}.${i}`))
        await guest.open()
        await openMost(links.zipsOfAddress.zips, () => guest.fetch('/zip?originals=true'))
      }
    }
    while (unread.length < zips.ofAll.zips) {
      const { url } = await (await library().newViewer()).call(requestZip, { body: { fileIds: [id] } })
      await openMost(zips.ofPerson.zips, () => library().anyone.fetch(url))
    }
    const another = await library().newViewer()
    await expect(another.call(requestZip, { body: { fileIds: [id] } })).rejects.toMatchObject({ status: 429 })
  })

  test('waits for one large ZIP of each other person at most, and a small one for none', async () => {
    const [ben, rose] = [await library().newViewer(), await library().newMember()]
    const files = Array.from({ length: zips.small + 500 }, (_, i) => ({ name: `${i}.jpg`, size: 100 }))
    const fileIds = await insertMedia(library(), files)
    const order = async (person: SignedIn, ids: number[]) =>
      (await person.call(requestZip, { body: { fileIds: ids } })).url
    const [bens, large, small] = [
      await order(ben, fileIds),
      await order(rose, fileIds),
      await order(rose, fileIds.slice(0, 20)),
    ]
    const prepared: string[] = []
    const prepare = async (name: string, url: string) => {
      expect((await library().anyone.fetch(url, { method: 'HEAD' })).status).toBe(200)
      prepared.push(name)
    }
    await Promise.all([
      ...Array.from({ length: zips.ofPerson.zips }, () => prepare('of Ben', bens)),
      prepare('large', large),
      prepare('small', small),
    ])
    expect(prepared).toHaveLength(zips.ofPerson.zips + 2)
    expect(prepared.indexOf('large')).toBeLessThanOrEqual(3)
    expect(prepared.indexOf('small')).toBeLessThanOrEqual(1)
  })

  test('is kept as an order for the latest few of a person only', async () => {
    const member = await library().newMember()
    const { id } = await uploadNamed(member, 'a.jpg')
    const orders: string[] = []
    for (let i = 0; i <= zips.ordersOfPerson; i++) {
      orders.push((await member.call(requestZip, { body: { fileIds: [id] } })).url)
      library().pass(1)
    }
    const statusOf = async (url = '') => (await library().anyone.fetch(url, { method: 'HEAD' })).status
    expect([await statusOf(orders[0]), await statusOf(orders[1]), await statusOf(orders.at(-1))]).toEqual([
      403, 200, 200,
    ])
  })
})
