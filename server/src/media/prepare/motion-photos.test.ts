import { expect, test, vi } from 'vitest'
import { deleteMedia, getMedia, type MediaFile, requestZip } from '#contract/media.ts'
import { restoreFiles } from '#contract/trash.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../../test/fixtures/pictures.ts'
import { expectNoOrphans, remainsOf } from '../../../test/fixtures/remains.ts'
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
import { onOneEngine, type SignedIn } from '../../../test/library.ts'
import { makeHeic } from '../../../test/processing/heic.ts'
import { googleMotionPhoto, microVideo, samsungTrailer, withMpvdBox } from '../../../test/processing/motion-photos.ts'
import { filmedAt, h264AndAac, picture } from '../../../test/processing/video-clips.ts'

const make = await clipMaker()
let clips = 0
const unlike = () => ['-metadata', `comment=${++clips}`]
const playable = () => make('plays.mp4', ...picture('160x120', 1), ...h264AndAac, ...unlike())
/** A codec that no browser plays, instead of the HEVC of phones. */
const strange = () => make('strange.mp4', ...picture('160x120', 1), '-c:v', 'mpeg4', ...unlike())

async function untilItMoves(person: SignedIn, id = 0): Promise<MediaFile & { motion_url: string }> {
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

async function uploaded(person: SignedIn, form: FormData): Promise<number> {
  const [file] = (await send(person, form)).files
  if (!file) throw new Error('The library holds it already')
  return file.id
}

onOneEngine(
  'a motion photo',
  (library, engine) => {
    const kinds = async (id: number) => {
      const rows = await library().rows(`select kind from media_parts where media_id = ${id} order by kind`)
      return rows.map(row => String(row.kind)).filter(kind => /original|motion/.test(kind))
    }

    test('stays as it is, byte for byte, and its clip plays like that of a Live Photo', async () => {
      const ben = await memberOf(library())
      const clip = await playable()
      for (const photo of [
        googleMotionPhoto(await makePicture(), clip),
        microVideo(await makePicture(), clip),
        samsungTrailer(await makePicture(), clip),
      ]) {
        const id = await uploaded(ben, plainForm('PXL_1.MP.jpg', photo))
        const file = await untilItMoves(ben, id)
        expect(file).toMatchObject({ status: 'ready', file_type: 'image', file_size: photo.length })
        expect((await fetchFrom(library(), file.download_url)).bytes).toEqual(photo)
        expect(await fetchFrom(library(), file.motion_url)).toMatchObject({ bytes: clip, type: 'video/mp4' })
        expect(await kinds(id)).toEqual(['motion_full', 'original'])
        const zip = await ben.call(requestZip, { body: { fileIds: [id] } })
        expect(unzip((await fetchFrom(library(), zip.url)).bytes).map(({ bytes }) => bytes)).toEqual([photo])
      }
    })

    test('of Samsung in HEIC plays too, converted where browsers need that', async () => {
      const ben = await memberOf(library())
      for (const photo of [withMpvdBox(makeHeic(), await strange()), samsungTrailer(makeHeic(), await strange())]) {
        const id = await uploaded(ben, plainForm('20240601_120000.heic', photo))
        const file = await untilItMoves(ben, id)
        expect(file).toMatchObject({ status: 'ready', mime_type: 'image/heic' })
        expect((await fetchFrom(library(), file.download_url)).bytes).toEqual(photo)
        expect((await fetchFrom(library(), file.motion_url)).type).toBe('video/mp4')
      }
    })

    test('plays however it was uploaded: with a client’s pictures, or by a resumable upload', async () => {
      const ben = await memberOf(library())
      const still = await makePicture({ width: 400, height: 300 })
      const photo = googleMotionPhoto(still, await playable())
      const { files } = await send(ben, photoForm('PXL_2.MP.jpg', photo, await makeClientPictures(still)))
      expect(files).toMatchObject([{ status: 'ready', motion_url: null }])
      await untilItMoves(ben, files[0]?.id)

      const uploadId = await sendResumable(ben, googleMotionPhoto(await makePicture(), await playable()))
      await untilItMoves(ben, (await finish(ben, { originalName: 'PXL_3.MP.jpg', uploadId })).files[0]?.id)
    })

    test('keeps playing after it was restored from the trash, and leaves nothing when it is purged', async () => {
      const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
      const id = await uploaded(ben, plainForm('PXL_4.MP.jpg', microVideo(await makePicture(), await playable())))
      await untilItMoves(ben, id)
      await ben.call(deleteMedia, { params: { id } })
      await ada.call(restoreFiles, { body: { fileIds: [id] } })
      await fetchFrom(library(), (await untilItMoves(ben, id)).motion_url)
      const keys = (await library().rows(`select key from media_parts where media_id = ${id}`)).map(row => row.key)
      expect(keys.filter(key => /motion_full/.test(String(key)))).toHaveLength(1)
      await ben.call(deleteMedia, { params: { id } })
      library().pass((library().config.trashDays + 1) * 86_400_000)
      const left = async () => (await remainsOf(library())).stored.filter(key => keys.includes(key))
      await expect.poll(left, { timeout: 20_000 }).toEqual([])
    })

    test('keeps its own clip; another one sent with it becomes a file of its own', async () => {
      const ben = await memberOf(library())
      const takenAt = '2024-06-01T12:34:56'
      const photo = samsungTrailer(await makePicture({ takenAt }), await playable())
      const id = await uploaded(ben, plainForm('20240601_123456.jpg', photo))
      const { motion_url } = await untilItMoves(ben, id)
      const other = await make('other.mp4', ...picture('160x120', 1), ...h264AndAac, ...unlike(), ...filmedAt(takenAt))
      const form = plainForm('20240601_123456.jpg', photo)
      form.append('files', asFile(other), 'motion_20240601_123456.jpg')
      const { duplicates, separate_clips } = await send(ben, form)
      expect(duplicates).toMatchObject([{ id }])
      expect(separate_clips).toHaveLength(1)
      expect(await kinds(id)).toEqual(['motion_full', 'original'])
      expect((await ben.call(getMedia, { params: { id } })).motion_url).toBe(motion_url)
    })

    test.runIf(engine === 'sqlite')('whose own clip is found while another is stored keeps its own', async () => {
      const ben = await memberOf(library())
      const takenAt = '2024-06-02T12:34:56'
      const photo = await makePicture({ takenAt })
      const id = await uploaded(ben, plainForm('20240602_123456.jpg', photo))
      await untilPrepared(ben, id)
      await library().rows(
        `create trigger found after insert on pending_objects when new.key like '%20240602_123456%' begin
          update media set motion_part = 'motion_full' where id = ${id}; end`,
      )
      const other = await make('other.mp4', ...picture('160x120', 1), ...h264AndAac, ...unlike(), ...filmedAt(takenAt))
      const form = plainForm('20240602_123456.jpg', photo)
      form.append('files', asFile(other), 'motion_20240602_123456.jpg')
      try {
        await expect(send(ben, form)).rejects.toMatchObject({ status: 409 })
        expect(await kinds(id)).toEqual(['original'])
      } finally {
        await library().rows('drop trigger found')
        await library().rows(`update media set motion_part = null where id = ${id}`)
      }
    })

    test('with a clip that is no video is a photo all the same', async () => {
      const ben = await memberOf(library())
      const clip = await playable()
      const [broken, at] = [Buffer.from(clip), clip.indexOf('trak')]
      // The top-level boxes are valid, but their content is not.
      broken.fill(0xff, at - 4, at + 200)
      const photo = googleMotionPhoto(await makePicture(), broken)
      const id = await uploaded(ben, plainForm('PXL_5.MP.jpg', photo))
      await untilPrepared(ben, id)
      await vi.waitFor(
        async () => {
          const [job] = await library().rows(`select failed_at from jobs where unique_key = 'media.motion:${id}'`)
          expect(job?.failed_at).toEqual(expect.anything())
        },
        { timeout: 50_000 },
      )
      const file = await ben.call(getMedia, { params: { id } })
      expect(file).toMatchObject({ status: 'ready', motion_url: null })
      expect((await fetchFrom(library(), file.download_url)).bytes).toEqual(photo)
      await expectNoOrphans(library())
    })
  },
  { environment: { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH } },
)
