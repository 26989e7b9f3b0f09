import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { compatibleVersions } from '#contract/limits.ts'
import { deleteMedia, getMedia, type MediaFile, requestCompatible } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { fetchFrom } from '../../test/fixtures/addresses.ts'
import { clipMaker } from '../../test/fixtures/clips.ts'
import { insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { expectNoOrphans, remainsAtRest, storageOf } from '../../test/fixtures/remains.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../test/library.ts'
import { ffmpegUnderTest, h264AndAac, picture, sound } from '../../test/processing/video-clips.ts'
import type { Visitor } from '../../test/visitor.ts'
import { probeVideo } from '../processing/video/probe.ts'
import { updateMedia } from './media.sql.ts'
import { purgeDeleted } from './trash.ts'

const make = await clipMaker()
const ffmpeg = await ffmpegUnderTest()
let clips = 0
const unlike = () => ['-metadata', `comment=${++clips}`]
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']
const soon = { timeout: 60_000 }

const film = (seconds = 2) => make('film.webm', ...picture('160x120', seconds), ...sound(seconds), ...vp9, ...unlike())

async function untilMade(person: Visitor, id: number): Promise<MediaFile> {
  const read = () => person.call(getMedia, { params: { id } })
  await expect
    .poll(async () => (await read()).compatible?.url ?? (await read()).compatible?.failure_reason, soon)
    .toBeTruthy()
  return read()
}

onOneEngine(
  'a version of a video for devices that cannot play it',
  library => {
    test('is made once somebody asks, and the others go on with the original', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      const bytes = await film()
      const { id } = await uploadFile(ben, { name: 'holiday.webm', bytes })
      const before = await untilPrepared(ben, id)
      expect(before).toMatchObject({ playback_type: 'video/webm; codecs="vp09.00.21.08, opus"', compatible: null })

      const asked = await rose.call(requestCompatible, { params: { id } })
      expect(asked.compatible).toEqual({ url: null, progress: 0, failure_reason: null })
      const owners = await library().rows(`select owner_id from jobs where name = 'media.compatible'`)
      // The job is owned by the person who requested it.
      expect(owners.map(({ owner_id }) => Number(owner_id))).toEqual([await library().idOf(rose.person)])
      // A second request, by anyone, does not start it again.
      expect((await ben.call(requestCompatible, { params: { id } })).compatible?.url).toBeNull()

      const file = await untilMade(ben, id)
      expect(file).toMatchObject({ status: 'ready', compatible: { progress: null, failure_reason: null } })
      expect((file.url ?? '').split('?')[0]).toBe((before.url ?? '').split('?')[0])
      const made = await fetchFrom(library(), file.compatible?.url)
      expect(made.type).toBe('video/mp4')
      const path = join(tmpdir(), `heirloom-compatible-${process.pid}.mp4`)
      await writeFile(path, made.bytes)
      const probe = await probeVideo(path, { ffmpeg }).finally(() => rm(path))
      expect(probe).toMatchObject({ container: 'mp4', video: { codec: 'h264' }, audio: { codec: 'aac' } })
      expect(probe.durationSeconds).toBeCloseTo(2, 0)
      const listed = (await rose.call(listMedia, { query: {} })).files.find(one => one.id === id)
      expect(listed?.compatible?.url?.split('?')[0]).toBe(file.compatible?.url?.split('?')[0])

      const version = await library().rows(`select version from media where id = ${id}`)
      const again = await rose.call(requestCompatible, { params: { id } })
      expect(again.compatible).toMatchObject({ progress: null })
      expect(again.compatible?.url).toBeTruthy()
      expect((await remainsAtRest(library())).jobs).toBe(0)
      expect(await library().rows(`select version from media where id = ${id}`)).toEqual(version)
    })

    test('is deleted for good with its file', async () => {
      const ben = await memberOf(library())
      const { id } = await uploadFile(ben, { name: 'gone.webm', bytes: await film() })
      await untilPrepared(ben, id)
      await ben.call(requestCompatible, { params: { id } })
      await untilMade(ben, id)
      await ben.call(deleteMedia, { params: { id } })
      await expect(ben.call(requestCompatible, { params: { id } })).rejects.toMatchObject({ status: 404 })
      await withDatabase(library(), async db => {
        const later = () => Date.now() + 365 * 86_400_000
        await purgeDeleted({ db, storage: await storageOf(library()), clock: later, trashDays: 30 })
      })
      expect(await library().rows(`select key from media_parts where media_id = ${id}`)).toEqual([])
      await expectNoOrphans(library())
    })

    test('is refused for what every device plays, and for photos', async () => {
      const ben = await memberOf(library())
      const plain = await make('plain.mp4', ...picture(), ...sound(), ...h264AndAac, ...unlike())
      const video = await uploadFile(ben, { name: 'plain.mp4', bytes: plain })
      expect(await untilPrepared(ben, video.id)).toMatchObject({ playback_type: null, compatible: null })
      const photo = await uploadFile(ben, { name: 'photo.jpg' })
      for (const { id } of [video, photo]) {
        await expect(ben.call(requestCompatible, { params: { id } })).rejects.toMatchObject({
          status: 409,
          message: 'This file needs no other version to be shown.',
        })
      }
      expect(await library().rows(`select id from jobs where name = 'media.compatible'`)).toEqual([])
    })

    test('that cannot be made says why, leaves the video as it was, and is tried again when asked again', async () => {
      const ben = await memberOf(library())
      const bytes = await film()
      const { id } = await uploadFile(ben, { name: 'torn.webm', bytes })
      await untilPrepared(ben, id)
      const [stored] = await library().rows(`select key from media_parts where media_id = ${id} and kind = 'original'`)
      const storage = await storageOf(library())
      const key = String(stored?.key)
      const put = async (content: Buffer) => {
        await storage.remove([key])
        await storage.put(key, Readable.from([content]))
      }
      await put(bytes.subarray(0, 200))
      await ben.call(requestCompatible, { params: { id } })
      const file = await untilMade(ben, id)
      expect(file).toMatchObject({ status: 'ready', failure_reason: null, compatible: { url: null, progress: null } })
      expect(file.compatible?.failure_reason).toMatch(/^The video could not be/)
      // A second attempt would fail in the same way, after a pause.
      const jobs = await library().rows(`select attempts from jobs where name = 'media.compatible'`)
      expect(jobs).toEqual([{ attempts: 1 }])

      await put(bytes)
      const again = await ben.call(requestCompatible, { params: { id } })
      expect(again.compatible).toEqual({ url: null, progress: 0, failure_reason: null })
      expect((await untilMade(ben, id)).compatible?.url).toBeTruthy()
    })

    test('waits for one person in a number that leaves room for the others', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      const { waitingPerPerson } = compatibleVersions
      const names = Array.from({ length: waitingPerPerson + 1 }, (_, i) => ({ name: `many-${i}.webm` }))
      const ids = await insertMedia(library(), names)
      const owner_id = await library().idOf(ben.person)
      await withDatabase(library(), db =>
        db.transaction(async tx => {
          for (const id of ids)
            await updateMedia(tx, id, {
              ...{ file_type: 'video', shown_part: 'original', playback_type: 'video/webm; codecs="vp8"' },
            })
          for (const id of ids.slice(0, -1)) {
            await tx
              .insertInto('jobs')
              .values({
                ...{ name: 'media.compatible', payload: JSON.stringify({ mediaId: id }), priority: 1, attempts: 0 },
                ...{ run_at: Date.now() + 3_600_000, unique_key: `media.compatible:${id}`, owner_id },
              })
              .execute()
          }
        }),
      )
      const id = ids.at(-1) ?? 0
      await expect(ben.call(requestCompatible, { params: { id } })).rejects.toMatchObject({ status: 429 })
      expect((await rose.call(requestCompatible, { params: { id } })).compatible?.progress).toBe(0)
    })
  },
  { environment: { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH } },
)
