import { expect, test, vi } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { deleteMedia, getMedia, type MediaFile, requestZip } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { restoreFiles } from '#contract/trash.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../../test/fixtures/pictures.ts'
import { expectNoOrphans, remainsAtRest, remainsOf } from '../../../test/fixtures/remains.ts'
import { unzip } from '../../../test/fixtures/unzip.ts'
import {
  asFile,
  finish,
  photoForm,
  plainForm,
  send,
  sendResumable,
  untilPrepared,
} from '../../../test/fixtures/uploads.ts'
import { type Library, onOtherEngine, type SignedIn } from '../../../test/library.ts'
import { withContentIdentifier } from '../../../test/processing/motion-photos.ts'
import { filmedAt, h264AndAac, picture, sound } from '../../../test/processing/video-clips.ts'

const make = await clipMaker()
/** Each clip is unique, because uploads are deduplicated by hash: a comment changes the bytes only. */
let clips = 0
const unlike = () => ['-metadata', `comment=${++clips}`, ...filmedAt(TAKEN)]
const TAKEN = '2024-06-01T12:34:56'
const makeStill = (options = {}) => makePicture({ takenAt: TAKEN, ...options })
/** The format of older phones: browsers play it once it is remuxed. */
const wrappedMov = () => make('clip.mov', ...picture('160x120', 1), ...sound(1), ...h264AndAac, ...unlike())
/** A codec that no browser plays, instead of the HEVC of newer phones. */
const strangeMov = () => make('strange.mov', ...picture('160x120', 1), '-c:v', 'mpeg4', ...unlike())
const playableMp4 = () => make('plays.mp4', ...picture('160x120', 1), ...h264AndAac, ...unlike())

/** The metadata that iPhones write into the clip. */
const identified = (identifier: string) => [
  ...['-movflags', 'use_metadata_tags', '-metadata', `com.apple.quicktime.content.identifier=${identifier}`],
]

/** A still with its clip, in the plain form. */
function pairForm(name: string, still: Uint8Array, clip: Uint8Array): FormData {
  const form = plainForm(name, still)
  form.append('files', asFile(clip), `motion_${name}`)
  return form
}

async function uploadPair(person: SignedIn, name: string, still: Uint8Array, clip: Uint8Array): Promise<MediaFile> {
  const { files } = await send(person, pairForm(name, still, clip))
  const [file] = files
  if (!file) throw new Error('The library holds it already')
  return file
}

async function untilItMoves(person: SignedIn, id: number): Promise<MediaFile & { motion_url: string }> {
  await untilPrepared(person, id)
  return vi.waitFor(
    async () => {
      const file = await person.call(getMedia, { params: { id } })
      if (file.motion_url === null) throw new Error('It does not move yet')
      return { ...file, motion_url: file.motion_url }
    },
    { timeout: 50_000, interval: 100 },
  )
}

async function partsOf(library: Library, id: number): Promise<string[]> {
  const rows = await library.rows(`select kind from media_parts where media_id = ${id} order by kind`)
  return rows.map(row => String(row.kind)).filter(kind => /original|motion/.test(kind))
}

onOtherEngine(
  'a Live Photo',
  library => {
    test('is one file: its still is what is seen and hashed, its clip plays and is kept as it came', async () => {
      const ben = await memberOf(library())
      const { count } = await ben.call(listMedia, { query: {} })
      const [still, clip] = [await makeStill(), await strangeMov()]
      const { id } = await uploadPair(ben, 'IMG_0001.JPG', still, clip)
      const file = await untilItMoves(ben, id)
      expect(file).toMatchObject({
        status: 'ready',
        file_type: 'image',
        mime_type: 'image/jpeg',
        file_size: still.length,
      })
      expect((await ben.call(listMedia, { query: {} })).count).toBe(count + 1)
      expect((await fetchFrom(library(), file.download_url)).bytes).toEqual(still)
      expect((await fetchFrom(library(), file.motion_url)).type).toBe('video/mp4')
      const [kept] = await library().rows(`select key from media_parts where media_id = ${id} and kind = 'motion'`)
      expect(kept?.key).toMatch(/^originals\/.*IMG_0001~.*\.mov$/)
      const zip = await ben.call(requestZip, { body: { fileIds: [id] } })
      const unzipped = unzip((await fetchFrom(library(), zip.url)).bytes)
      expect(unzipped.map(({ name, bytes }) => ({ name, bytes }))).toEqual([
        { name: 'IMG_0001.JPG', bytes: still },
        { name: 'IMG_0001.mov', bytes: clip },
      ])
    })

    test('plays the clip itself where browsers can, and a new wrapping of it where that is enough', async () => {
      const ben = await memberOf(library())
      const plays = await playableMp4()
      const one = await uploadPair(ben, 'plays.jpg', await makeStill(), plays)
      const { motion_url } = await untilItMoves(ben, one.id)
      expect((await fetchFrom(library(), motion_url)).bytes).toEqual(plays)
      expect(await partsOf(library(), one.id)).toEqual(['motion', 'original'])

      const two = await uploadPair(ben, 'wrapped.jpg', await makeStill(), await wrappedMov())
      expect((await fetchFrom(library(), (await untilItMoves(ben, two.id)).motion_url)).type).toBe('video/mp4')
      expect(await partsOf(library(), two.id)).toEqual(['motion', 'motion_full', 'original'])
    })

    test('is sent in the form of a photo with its variants, and is complete at once except for its clip', async () => {
      const ben = await memberOf(library())
      const still = await makeStill({ width: 400, height: 300 })
      const form = photoForm('IMG_0002.JPG', still, await makeClientPictures(still))
      form.append('files', asFile(await playableMp4()), 'motion_IMG_0002.JPG')
      const { files } = await send(ben, form)
      expect(files).toMatchObject([{ status: 'ready', motion_url: null }])
      await untilItMoves(ben, files[0]?.id ?? 0)
    })

    test('is sent by resumable uploads, one for each half', async () => {
      const ben = await memberOf(library())
      const [still, clip] = [await makeStill(), await playableMp4()]
      const [uploadId, motionUploadId] = [await sendResumable(ben, still), await sendResumable(ben, clip)]
      const fields = { originalName: 'IMG_0003.JPG', uploadId, motionUploadId }
      const { files } = await finish(ben, fields)
      const { motion_url } = await untilItMoves(ben, files[0]?.id ?? 0)
      expect((await fetchFrom(library(), motion_url)).bytes).toEqual(clip)
      // Finishing is idempotent: it returns the same file and leaves no unfinished upload.
      expect((await finish(ben, fields)).files.map(file => file.id)).toEqual(files.map(file => file.id))
      expect((await remainsOf(library())).uploads).toEqual([])
    })

    test('whose still was finished before keeps the upload of a clip that is sent with it too late', async () => {
      const ben = await memberOf(library())
      const uploadId = await sendResumable(ben, await makeStill())
      const [photo] = (await finish(ben, { originalName: 'IMG_0009.jpg', uploadId })).files
      const motionUploadId = await sendResumable(ben, await wrappedMov())
      await finish(ben, { originalName: 'IMG_0009.jpg', uploadId, motionUploadId })
      const [video] = (await finish(ben, { originalName: 'IMG_0009.mov', uploadId: motionUploadId })).files
      expect(video).toMatchObject({ file_type: 'video' })
      // The following tests compare everything that is stored.
      for (const file of [photo, video]) await untilPrepared(ben, file?.id ?? 0)
    })

    test('whose still was there alone gets its clip; one that has a clip keeps it', async () => {
      const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
      const [still, clip] = [await makeStill(), await playableMp4()]
      const [alone] = (await send(ben, plainForm('IMG_0004.JPG', still))).files
      const id = alone?.id ?? 0
      await untilPrepared(ben, id)
      expect(await send(ben, pairForm('IMG_0004.JPG', still, clip))).toMatchObject({ files: [], duplicates: [{ id }] })
      const { motion_url } = await untilItMoves(ben, id)
      expect((await fetchFrom(library(), motion_url)).bytes).toEqual(clip)
      expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ motion_size: clip.length })
      expect(await send(ben, pairForm('IMG_0004.JPG', still, clip))).not.toHaveProperty('separate_clips')
      const other = await send(ben, pairForm('IMG_0004.JPG', still, await playableMp4()))
      // An unrelated clip is stored as a separate video.
      expect(other).toMatchObject({
        files: [{ original_name: 'IMG_0004.mp4', file_type: 'video' }],
        duplicates: [{ id }],
        separate_clips: [other.files[0]?.id],
      })
      expect((await fetchFrom(library(), (await untilItMoves(ben, id)).motion_url)).bytes).toEqual(clip)
      const lines = await ada.call(listActivity, { query: { media_id: id } })
      expect(lines.filter(line => line.act === 'media.add-clip')).toHaveLength(1)
      await expectNoOrphans(library())
    })

    test('that two people send at the same moment is one file with one clip', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      const [still, clip] = [await makeStill(), await playableMp4()]
      const answers = await Promise.all(
        [ben, rose, ben, rose].map(person => send(person, pairForm('IMG_0005.JPG', still, clip))),
      )
      const ids = answers.flatMap(({ files, duplicates }) => [...files, ...duplicates].map(file => file.id))
      expect(new Set(ids).size).toBe(1)
      expect(answers.flatMap(answer => answer.files)).toHaveLength(1)
      await untilItMoves(ben, ids[0] ?? 0)
      await expectNoOrphans(library())
    })

    test('loses its clip only with itself', async () => {
      const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
      const { id } = await uploadPair(ben, 'IMG_0006.JPG', await makeStill(), await wrappedMov())
      await untilItMoves(ben, id)
      await ben.call(deleteMedia, { params: { id } })
      await ada.call(restoreFiles, { body: { fileIds: [id] } })
      await fetchFrom(library(), (await untilItMoves(ben, id)).motion_url)

      const keys = (await library().rows(`select key from media_parts where media_id = ${id}`)).map(row => row.key)
      expect(keys.filter(key => /IMG_0006.*(mov|motion_full.*mp4)$/.test(String(key)))).toHaveLength(2)
      await ben.call(deleteMedia, { params: { id } })
      library().pass((library().config.trashDays + 1) * 86_400_000)
      const left = async () => (await remainsOf(library())).stored.filter(key => keys.includes(key))
      await expect.poll(left, { timeout: 20_000 }).toEqual([])
    })

    test('is refused whole when its halves are not a photo and a video', async () => {
      const ben = await memberOf(library())
      const before = await remainsAtRest(library())
      const [still, clip] = [await makeStill(), await playableMp4()]
      const refusals = [
        { form: pairForm('a.jpg', still, await makeStill()), status: 415 },
        { form: pairForm('a.jpg', still, Buffer.from('no video')), status: 415 },
        { form: pairForm('a.jpg', still, Buffer.alloc(0)), status: 415 },
        { form: pairForm('a.mp4', clip, clip), status: 422 },
      ]
      const twice = pairForm('a.jpg', still, clip)
      twice.append('files', asFile(clip), 'motion_a.jpg')
      refusals.push({ form: twice, status: 400 })
      const both = plainForm('a.jpg', still, { motionUploadId: await sendResumable(ben, clip) })
      both.append('files', asFile(clip), 'motion_a.jpg')
      refusals.push({ form: both, status: 400 })
      const [rose, unknown] = [await memberOf(library(), 'rose'), plainForm('a.jpg', still, { motionUploadId: 'x' })]
      refusals.push({ form: unknown, status: 404 })
      const hers = await sendResumable(rose, clip)
      refusals.push({ form: plainForm('a.jpg', still, { motionUploadId: hers }), status: 404 })
      for (const { form, status } of refusals) await expect(send(ben, form)).rejects.toMatchObject({ status })
      const after = await remainsAtRest(library())
      expect({ ...after, uploads: [] }).toEqual({ ...before, uploads: [] })
    })

    test('is two files where photo and video only share a name: nothing says that they belong together', async () => {
      const ben = await memberOf(library())
      const film = (seconds: number, ...args: string[]) =>
        make('film.mov', ...picture('160x120', seconds), ...h264AndAac, '-metadata', `comment=${++clips}`, ...args)
      const [one, two] = ['A'.repeat(36), 'B'.repeat(36)]
      const strangers: [what: string, still: Buffer, film: Buffer][] = [
        ['neither has a time', await makePicture(), await film(1)],
        ['one has no time', await makeStill(), await film(1)],
        ['other seconds', await makeStill(), await film(1, ...filmedAt('2024-06-01T12:35:20'))],
        ['another day', await makeStill(), await film(1, ...filmedAt('2024-06-02T12:34:56'))],
        ['a long film', await makeStill(), await film(8, ...filmedAt(TAKEN))],
        [
          'other identifiers',
          withContentIdentifier(await makePicture(), one),
          await film(1, ...identified(two), ...filmedAt(TAKEN)),
        ],
      ]
      for (const [what, still, clip] of strangers) {
        const form = plainForm('QuickTime.heic', still, { motionName: 'QuickTime.MOV', motionLastModified: 86_400_000 })
        form.append('files', asFile(clip), 'motion_QuickTime.heic')
        const { files, separate_clips } = await send(ben, form)
        expect([what, files]).toMatchObject([
          what,
          [
            { original_name: 'QuickTime.heic', file_type: 'image', file_size: still.length },
            { original_name: 'QuickTime.MOV', file_type: 'video', file_size: clip.length },
          ],
        ])
        expect(separate_clips).toEqual([files[1]?.id])
        expect(await partsOf(library(), files[0]?.id ?? 0)).toEqual(['original'])
        expect((await fetchFrom(library(), files[1]?.download_url ?? '')).bytes).toEqual(clip)
        // A second upload is recognised as a duplicate.
        const ids = files.map(file => file.id)
        const again = await send(ben, pairForm('QuickTime.heic', still, clip))
        expect(again).toMatchObject({ files: [], separate_clips: [ids[1]] })
        expect(again.duplicates.map(file => file.id)).toEqual(ids)
      }
    })

    test('is known by the identifier in both halves, and by the same seconds in whatever zone', async () => {
      const ben = await memberOf(library())
      const film = (...args: string[]) => make('film.mov', ...picture('160x120', 1), ...h264AndAac, ...args)
      const [identifier, marked] = ['C'.repeat(36), await makePicture()]
      const { id } = await uploadPair(
        ben,
        'IMG_0008.JPG',
        withContentIdentifier(marked, identifier),
        await film(...identified(identifier)),
      )
      expect(await partsOf(library(), id)).toEqual(['motion', 'original'])
      const elsewhere = await film(...filmedAt('2024-06-01T10:34:59'))
      const zoned = await uploadPair(ben, 'IMG_0009.JPG', await makeStill(), elsewhere)
      expect(await partsOf(library(), zoned.id)).toEqual(['motion', 'original'])
    })

    test('whose clip cannot be read is a photo all the same', async () => {
      const ben = await memberOf(library())
      const clip = await playableMp4()
      // Its time and duration are readable, its frames are not.
      clip.write('none', clip.indexOf('avc1', clip.indexOf('stsd')))
      const { id } = await uploadPair(ben, 'IMG_0007.JPG', await makeStill(), clip)
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', motion_url: null })
      await vi.waitFor(
        async () => {
          const [job] = await library().rows(`select failed_at from jobs where unique_key = 'media.motion:${id}'`)
          expect(job?.failed_at).not.toBeNull()
        },
        { timeout: 30_000 },
      )
      expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ status: 'ready', motion_url: null })
    })
  },
  { environment: { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH } },
)
