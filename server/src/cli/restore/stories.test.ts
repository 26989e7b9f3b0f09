import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { addAlbumComment, createAlbum, updateAlbum } from '#contract/albums.ts'
import { changeDates } from '#contract/dates.ts'
import { heartFile } from '#contract/hearts.ts'
import { createAlbumLink, createLink } from '#contract/links.ts'
import { getMedia, rotateMedia } from '#contract/media.ts'
import { addNote } from '#contract/notes.ts'
import { correctPlaces } from '#contract/places.ts'
import { addTag } from '#contract/tags.ts'
import { commandContext, emptyMachine, everyRow, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { makeUploadLink, senderOf } from '../../../test/fixtures/guests.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { untilAtRest } from '../../../test/fixtures/remains.ts'
import { asFile, plainForm, send, untilPrepared } from '../../../test/fixtures/uploads.ts'
import { onBothEngines } from '../../../test/library.ts'
import { googleMotionPhoto } from '../../../test/processing/motion-photos.ts'
import { filmedAt, h264, picture } from '../../../test/processing/video-clips.ts'
import { backUp } from '../backup/backup.ts'
import { migrate } from '../migrate/migrate.ts'
import { restore } from './restore.ts'

vi.setConfig({ testTimeout: 90_000 })
const make = await clipMaker()

onBothEngines(
  'a restore',
  (library, engine) => {
    test('restores notes, tags, hearts, albums, links and saved rotation of a file, and the clip of a Live Photo, which is converted again', async () => {
      const [ada, ben] = [await library().admin(), await library().signInAs('ben')]
      const taken = '2024-06-01T12:34:56'
      const clip = await make('clip.mov', ...picture('160x120', 1), ...h264, ...filmedAt(taken))
      const form = plainForm('IMG_1.JPG', await makePicture({ takenAt: taken }))
      form.append('files', asFile(clip), 'motion_IMG_1.JPG')
      const id = (await send(ada, form)).files[0]?.id ?? 0
      await untilPrepared(ada, id)
      await ben.call(rotateMedia, { params: { id }, body: { rotation: 90 } })
      await ben.call(addTag, { params: { id }, body: { tagName: 'Winter' } })
      for (const person of [ada, ben]) await person.call(heartFile, { params: { id } })
      await ben.call(addNote, { params: { id }, body: { content: '@ada so much snow' } })
      const album = await ben.call(createAlbum, { body: { title: 'Snow', fileIds: [id] } })
      await ben.call(updateAlbum, { params: { id: album.id }, body: { cover_id: id, order: 'manual' } })
      await ada.call(addAlbumComment, { params: { id: album.id }, body: { content: 'Brr, @ben' } })
      await ben.call(createLink, { body: { fileIds: [id], password: 'sardines' } })
      await ben.call(createAlbumLink, { params: { id: album.id }, body: {} })
      for (const name of ['Tom', 'Una']) {
        const sender = await senderOf(library(), await makeUploadLink(ben, album.id), name)
        await sender.send('cake.jpg', await makePicture({ width: 50 + name.length }))
      }
      const moves = async () => (await ada.call(getMedia, { params: { id } })).motion_url !== null
      await expect.poll(moves, { timeout: 40_000 }).toBe(true)
      await untilAtRest(library())

      const folder = join(await temporaryFolder(), 'backup')
      await backUp(commandContext(library().config), { folder, withVariants: false, verify: false })
      const config = await emptyMachine(engine)
      expect(await restore(commandContext(config), { folder, snapshot: undefined })).toMatchObject({
        problems: [],
        toPrepare: 3,
      })

      const [before, after] = [await everyRow(library().config), await everyRow(config)]
      const tables = [
        'tags',
        'media_tags',
        'comments',
        'hearts',
        'notifications',
        'albums',
        'album_files',
        'links',
        'link_files',
        'guests',
        'guest_uploads',
      ]
      for (const table of tables) {
        expect([table, after[table]]).toEqual([table, before[table]])
        expect(after[table]?.length).toBeGreaterThan(1)
      }
      const [kept] = await rowsOf(config, `select key from media_parts where kind = 'motion'`)
      expect(await readFile(join(config.dataFolder, 'files', String(kept?.key)))).toEqual(clip)
      // Its variants are made again in the saved direction.
      expect(await rowsOf(config, `select motion_part, rotation from media where id = ${id}`)).toEqual([
        { motion_part: null, rotation: 90 },
      ])
    })

    test('has corrected dates and places with who, when and what was before, also after moving to the other engine', async () => {
      const [ada, ben] = [await library().admin(), await library().signInAs('ben')]
      const taken = '2024-06-01T12:34:56'
      const photo = await makePicture({ takenAt: taken, width: 61 })
      const id = (await send(ada, plainForm('corrected.jpg', photo))).files[0]?.id ?? 0
      await untilPrepared(ada, id)
      const set = (person: typeof ada, edtf: string) =>
        person.call(changeDates, { body: { fileIds: [id], change: { kind: 'set', edtf } } })
      await set(ada, '197X')
      await set(ben, '1974-22')
      await ben.call(correctPlaces, { body: { fileIds: [id], place: { latitude: 38.7222, longitude: -9.1393 } } })
      await untilAtRest(library())

      const folder = join(await temporaryFolder(), 'backup')
      await backUp(commandContext(library().config), { folder, withVariants: true, verify: false })
      const config = await emptyMachine(engine)
      await restore(commandContext(config), { folder, snapshot: undefined })
      const moved = await emptyMachine(engine === 'sqlite' ? 'postgres' : 'sqlite')
      await migrate(commandContext(config), moved, { verify: false })

      const corrections = async (where: typeof config) => {
        const dates = `date_edtf, date_source, date_sort, found_edtf, corrected_by, corrected_at`
        const rows = [
          ...(await rowsOf(where, `select ${dates}, latitude, location from media where id = ${id}`)),
          ...(await rowsOf(where, `select * from place_corrections where media_id = ${id}`)),
          ...(await rowsOf(where, `select * from change_files where media_id = ${id} order by id`)),
        ]
        // Drivers return large numbers as text.
        return rows.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])))
      }
      const expected = await corrections(library().config)
      expect(expected).toMatchObject([
        { date_edtf: '1974-22', date_source: 'person', found_edtf: taken, latitude: '38.7222' },
        { kind: 'set' },
        {},
        { before: expect.stringContaining('197X') },
        {},
      ])
      expect(await corrections(config)).toEqual(expected)
      expect(await corrections(moved)).toEqual(expected)
    })

    test('asks for the clip inside a motion photo again, which a backup without variants does not hold', async () => {
      const ada = await library().admin()
      const clip = await make('embedded.mp4', ...picture('160x120', 1), ...h264)
      const photo = googleMotionPhoto(await makePicture(), clip)
      const id = (await send(ada, plainForm('PXL_1.MP.jpg', photo))).files[0]?.id ?? 0
      const moves = async () => (await ada.call(getMedia, { params: { id } })).motion_url !== null
      await expect.poll(moves, { timeout: 60_000 }).toBe(true)

      const folder = join(await temporaryFolder(), 'backup')
      await backUp(commandContext(library().config), { folder, withVariants: false, verify: false })
      const config = await emptyMachine(engine)
      await restore(commandContext(config), { folder, snapshot: undefined })
      const parts = await rowsOf(config, `select kind, key from media_parts where media_id = ${id}`)
      expect(parts.map(part => part.kind)).toEqual(['original'])
      expect(await readFile(join(config.dataFolder, 'files', String(parts[0]?.key)))).toEqual(photo)
      expect(await rowsOf(config, `select motion_part from media where id = ${id}`)).toEqual([{ motion_part: null }])
      const jobs = await rowsOf(config, `select name from jobs where unique_key = 'media.prepare:${id}'`)
      expect(jobs).toHaveLength(1)
    })
  },
  { environment: { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH } },
)
