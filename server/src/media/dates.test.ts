import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExifTool, type WriteTags } from 'exiftool-vendored'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { retryFailedFile } from '#contract/admin.ts'
import { getMedia, renameMedia } from '#contract/media.ts'
import { clipMaker } from '../../test/fixtures/clips.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../test/fixtures/pictures.ts'
import { photoForm, send, untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onOneEngine } from '../../test/library.ts'
import { h264, picture } from '../../test/processing/video-clips.ts'
import { findDate } from './file-date.ts'

const make = await clipMaker()
const writer = new ExifTool()
afterAll(() => writer.end())

async function tagged(bytes: Buffer, tags: Record<string, string>): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-dates-'))
  try {
    const path = join(folder, 'photo.jpg')
    await writeFile(path, bytes)
    await writer.write(path, tags as WriteTags, { writeArgs: ['-overwrite_original'] })
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Photos uploaded with variants are ready before their metadata has been read. */
async function untilIdle(library: Library): Promise<void> {
  const left = () => library.rows(`select id from jobs where name = 'media.prepare'`)
  await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 50_000, interval: 100 })
}

onOneEngine(
  'the date of a file:',
  library => {
    test.each([
      ['IMG_20191031_173558.jpg', '2019-10-31T17:35:58', 'time'],
      ['IMG-20190101-WA0001.jpg', '2019-01-01', 'day'],
      ['1985-07 Cornwall 03.jpg', '1985-07', 'month'],
      // UTC in the name, shown in the home time zone.
      ['PXL_20210102_023456789.jpg', '2021-01-01T21:34:56.789', 'time'],
      ['FB_IMG_1577934000000.jpg', '2020-01-01T22:00:00', 'time'],
    ])('%s is listed under %s at once and for good', async (name, edtf, precision) => {
      const ben = await memberOf(library())
      const expected = { edtf, taken_at: null, date_source: 'name', date_precision: precision }
      const added = await uploadFile(ben, { name, lastModified: 1_700_000_000_000 })
      expect(added.edtf).toBe(edtf)
      expect(await untilPrepared(ben, added.id)).toMatchObject(expected)
    })

    test("without one in its name it is the file's own date by the clocks of home, unless that is of a copy", async () => {
      const ben = await memberOf(library())
      const lastModified = Date.parse('2023-07-02T01:34:56Z')
      const dated = await uploadFile(ben, { name: 'IMG_1999.jpg', lastModified })
      const expected = { date: '2023-07-01T21:34:56', taken_at: null, date_source: 'file', date_precision: 'time' }
      expect(await untilPrepared(ben, dated.id)).toMatchObject(expected)
      const undated = { date: null, edtf: null, taken_at: null, date_source: null, date_precision: null }
      const others = [
        { name: 'IMG_2000.jpg' },
        { name: 'IMG_2001.jpg', lastModified: Date.now() - 60_000 },
        { name: 'IMG_2002.jpg', lastModified: Date.parse('1980-01-01T04:00:00Z') },
        { name: 'Scan0003.jpg', lastModified },
      ]
      for (const other of others) {
        const { id } = await uploadFile(ben, other)
        expect(await untilPrepared(ben, id), other.name).toMatchObject(undated)
      }
    })

    test.each([
      ['1970:01:01 00:00:00', 'e.jpg', null, null, '1970-01-01T00:00:00'],
      ['1980:01:01 00:12:33', 'a.jpg', null, null, '1980-01-01T00:12:33'],
      ['1970:01:01 03:00:00', 'IMG_20191031_173558.jpg', '2019-10-31T17:35:58', 'name', '1970-01-01T03:00:00'],
      ['2098:06:07 08:09:10', 'd.jpg', null, null, '2098-06-07T08:09:10'],
      ['2098:06:07 08:09:10', 'IMG_20191031_173559.jpg', '2019-10-31T17:35:59', 'name', '2098-06-07T08:09:10'],
      ['2000:01:01 00:00:00', 'b.jpg', null, null, '2000-01-01T00:00:00'],
      ['2000:01:01 00:01:00', 'c.jpg', '2000-01-01T00:01:00', 'metadata', null],
    ])('a camera that said %s is trusted only if its clock was set', async (taken, name, edtf, source, doubtful) => {
      const ben = await memberOf(library())
      const { id } = await uploadFile(ben, {
        name,
        bytes: await tagged(await makePicture(), { DateTimeOriginal: taken }),
      })
      const expected = { edtf, date_source: source, doubtful_taken_at: doubtful }
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject(expected)
      expect(file.taken_at).toBe(source === 'metadata' ? edtf : null)
    })

    test('a clock that has counted on from 1970 is doubtful in a video, and believed in a scan', async () => {
      const ben = await memberOf(library())
      const created = ['-metadata', 'creation_time=1970-03-06T10:11:12Z']
      const bytes = await make('unset.mp4', ...picture('64x48', 1), ...h264, ...created)
      const video = await uploadFile(ben, { name: 'VID_0001.mp4', bytes })
      expect(await untilPrepared(ben, video.id)).toMatchObject({
        edtf: null,
        date_source: null,
        taken_at: null,
        doubtful_taken_at: '1970-03-06T05:11:12-05:00',
      })
      const scanned = await tagged(await makePicture(), { DateTimeOriginal: '1970:03:06 10:11:12' })
      const scan = await uploadFile(ben, { name: 'scan.jpg', bytes: scanned })
      const expected = { edtf: '1970-03-06T10:11:12', date_source: 'metadata', doubtful_taken_at: null }
      expect(await untilPrepared(ben, scan.id)).toMatchObject(expected)
    })

    test('when the file itself says that it was changed counts before its own date, and after its name', async () => {
      const ben = await memberOf(library())
      const changed = async () => tagged(await makePicture(), { ModifyDate: '2015:02:03 04:05:06' })
      const about = { lastModified: Date.parse('2023-07-02T01:34:56Z') }
      const { id } = await uploadFile(ben, { name: 'a.jpg', bytes: await changed(), ...about })
      const expected = { edtf: '2015-02-03T04:05:06', date_source: 'modified', taken_at: null, doubtful_taken_at: null }
      expect(await untilPrepared(ben, id)).toMatchObject(expected)
      const named = await uploadFile(ben, { name: 'IMG-20120101-WA0001.jpg', bytes: await changed(), ...about })
      expect(await untilPrepared(ben, named.id)).toMatchObject({ edtf: '2012-01-01', date_source: 'name' })
    })

    test('the camera counts more than the name', async () => {
      const ben = await memberOf(library())
      const exif = { IFD2: { DateTimeOriginal: '2021:05:06 07:08:09' } }
      const bytes = await sharp(await makePicture())
        .withExif(exif)
        .jpeg()
        .toBuffer()
      const { id } = await uploadFile(ben, { name: 'IMG_20191031_173558.jpg', bytes })
      expect(await untilPrepared(ben, id)).toMatchObject({
        date: '2021-05-06T07:08:09',
        taken_at: '2021-05-06T07:08:09',
        date_source: 'metadata',
        date_precision: 'time',
      })
    })

    test('a video is listed by the clocks of the place, else of home', async () => {
      const ben = await memberOf(library())
      const created = ['-metadata', 'creation_time=2024-07-02T01:34:56Z']
      const [home, paris] = [
        await make('home.mp4', ...picture('64x48', 1), ...h264, ...created),
        await make(
          'paris.mp4',
          ...picture('64x48', 1),
          ...h264,
          ...created,
          '-metadata',
          'location=+48.8584+002.2945/',
        ),
      ]
      const dateOf = async (name: string, bytes: Buffer) => {
        const { id } = await uploadFile(ben, { name, bytes })
        const { date, taken_at } = await untilPrepared(ben, id)
        return [date, taken_at]
      }
      expect(await dateOf('home.mp4', home)).toEqual(['2024-07-01T21:34:56', '2024-07-01T21:34:56-04:00'])
      expect(await dateOf('paris.mp4', paris)).toEqual(['2024-07-02T03:34:56', '2024-07-02T03:34:56+02:00'])
    })

    test.each([
      ['a year alone', 'scan.jpg', { 'XMP-photoshop:DateCreated': '1985' }, '1985', 'metadata', 'year'],
      ['a name alone', 'Screenshot_20200102-101112_App.jpg', {}, '2020-01-02T10:11:12', 'name', 'time'],
      ['IPTC alone', 'press.jpg', { 'IPTC:DateCreated': '1999:05:06' }, '1999-05-06', 'metadata', 'day'],
      ['a camera', 'a.jpg', { DateTimeOriginal: '2021:05:06 07:08:09' }, '2021-05-06T07:08:09', 'metadata', 'time'],
    ])('with %s browser and server find the same', async (_, name, tags, edtf, source, precision) => {
      const ben = await memberOf(library())
      const expected = { edtf, date_source: source, date_precision: precision }
      const server = await uploadFile(ben, { name, bytes: await tagged(await makePicture(), tags) })
      expect(await untilPrepared(ben, server.id)).toMatchObject(expected)
      const original = await tagged(await makePicture(), tags)
      // The browser reads only the time of the scan.
      const metadata = source === 'metadata' && precision !== 'time' ? { dateTimeDigitized: '2020-01-01T10:00:00' } : {}
      const form = photoForm(name, original, await makeClientPictures(original), { metadata })
      const [client] = (await send(ben, form)).files
      await untilIdle(library())
      expect(await ben.call(getMedia, { params: { id: client?.id ?? 0 } })).toMatchObject(expected)
    })

    test('a new name does not change it, even when the file is prepared again', async () => {
      const ben = await memberOf(library())
      const { id } = await uploadFile(ben, { name: 'IMG_20191031_173558.jpg' })
      await untilPrepared(ben, id)
      await ben.call(renameMedia, { params: { id }, body: { newName: '1985 Cornwall.jpg' } })
      await library().rows(`update media set status = 'failed', date_sort = 0 where id = ${id}`)
      await (await library().admin()).call(retryFailedFile, { params: { id } })
      expect(await untilPrepared(ben, id)).toMatchObject({ date: '2019-10-31T17:35:58', date_source: 'name' })
    })
  },
  { environment: { HOME_TIMEZONE: 'America/New_York', PATH: process.env.PATH } },
)

test('a date in EDTF that was still to come at the upload is not believed', () => {
  const facts = { name: 'a.jpg', metadata: null, takenAt: null, fileDate: null, homeTimeZone: 'UTC' }
  const found = (edtf: string) => findDate({ ...facts, edtf, uploadedAt: Date.UTC(2025, 5) }).edtf
  expect(['1974-22', '../1938', '2025', '2025-12~', '2026/..', '2026-12-31'].map(found)).toEqual([
    '1974-22',
    '../1938',
    '2025',
    null,
    null,
    null,
  ])
})
