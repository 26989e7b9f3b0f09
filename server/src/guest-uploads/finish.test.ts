import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { acceptGuestUploads, finishSentFile, listGuestUploads } from '#contract/guest-uploads.ts'
import { guestUploads as limits } from '#contract/limits.ts'
import { getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { clipMaker } from '../../test/fixtures/clips.ts'
import { signalDecoders } from '../../test/fixtures/decoders.ts'
import { makeUploadLink, openedBy, type Sender, senderOf } from '../../test/fixtures/guests.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { remainsOf } from '../../test/fixtures/remains.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { anotherServersDatabase, onOtherEngine, type SignedIn } from '../../test/library.ts'
import { ffmpegUnderTest, filmedAt, h264AndAac, picture } from '../../test/processing/video-clips.ts'

vi.setConfig({ testTimeout: 180_000 })

const make = await clipMaker()
const ffmpeg = await ffmpegUnderTest()
const TAKEN = '2024-06-01T12:34:56'
const makeClip = (takenAt: string) => make('clip.mov', ...picture('160x120', 1), ...h264AndAac, ...filmedAt(takenAt))

onOtherEngine(
  'a file of a guest',
  (library, engine) => {
    async function weddingOf(person: SignedIn, maxFiles = 10) {
      const album = await person.call(createAlbum, { body: { title: 'Wedding' } })
      const link = await makeUploadLink(person, album.id, { max_files: maxFiles })
      const waiting = () => person.call(listGuestUploads, { query: { album: album.id } })
      return { album, link, tom: await senderOf(library(), link, 'Tom'), waiting }
    }

    /** Hands over a photo with its clip. */
    async function finishPair(tom: Sender, [photo, clip]: [string, string]) {
      const answer = await tom.finish(photo, 'IMG_1.JPG', { path: clip, name: 'IMG_1.MOV' })
      expect(answer.status).toBe(201)
      return finishSentFile.answer.parse(await answer.json())
    }

    test('is read by processes that read nothing else', async () => {
      const ben = await memberOf(library())
      const { tom, waiting } = await weddingOf(ben)
      const { id } = await uploadFile(ben, { name: 'warm-up.jpg' })
      expect((await untilPrepared(ben, id)).status).toBe('ready')
      // They wait for the next file of a member. A file that got one of them would never be ready.
      const programs = ['decoder-worker', 'exiftool'] as const
      for (const program of programs) expect(signalDecoders('SIGSTOP', program)).toBeGreaterThan(0)
      try {
        await tom.send('stranger.jpg', await makePicture({ takenAt: TAKEN }))
        const shown = async () => (await waiting()).map(({ name, status }) => [name, status])
        await expect.poll(shown, { timeout: 120_000 }).toEqual([['stranger.jpg', 'ready']])
      } finally {
        for (const program of programs) signalDecoders('SIGCONT', program)
      }
    })

    test('is stored while another address hands over many at the same moment', async () => {
      const ben = await memberOf(library())
      const { album, tom, link } = await weddingOf(ben, 20)
      const una = await senderOf(library(), link, 'Una')
      const picture = (width: number) => makePicture({ width, height: 48 })
      const toms = await Promise.all(Array.from({ length: 8 }, async (_, i) => tom.upload(await picture(200 + i))))
      const unas = await una.upload(await picture(300))
      const other = await anotherServersDatabase(library())
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      onTestFinished(() => release())
      // As another server does that stores a file: the one that has a place waits.
      const holding = other.transaction(async tx => {
        await other.advisoryLock(tx, `guest-uploads to album ${album.id}`)
        await released
      })
      let refused = 0
      const finished = toms.map(async (path, i) => {
        const { status } = await tom.finish(path, `${i}.jpg`)
        if (status === 429) refused += 1
        return status
      })
      await expect.poll(() => refused).toBe(8 - limits.storedAtOnce.ofAddress)
      const honest = una.finish(unas, 'una.jpg')
      // Refused at once, or waiting for the lock.
      expect(await Promise.race([honest.then(({ status }) => status), setTimeout(1_000, 'waits')])).toBe('waits')
      release()
      await holding
      expect((await honest).status).toBe(201)
      expect((await Promise.all(finished)).filter(status => status === 201)).toHaveLength(limits.storedAtOnce.ofAddress)
    })

    test('is begun, and guests name themselves, without a connection to the database while others of the link do', async () => {
      const ben = await memberOf(library())
      const { tom, link } = await weddingOf(ben, 40)
      const others = await Promise.all(Array.from({ length: 30 }, () => openedBy(library(), link)))
      const other = await anotherServersDatabase(library())
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      onTestFinished(() => release())
      const holding = other.transaction(async tx => {
        await other.advisoryLock(tx, `guest-uploads of link ${link.id}`)
        await released
      })
      const body = JSON.stringify({ name: 'Una' })
      const name = { method: 'PUT', body, headers: { 'content-type': 'application/json' } }
      const named = others.map(async other => (await other.fetch('/guest', name)).status)
      const begun = Array.from({ length: 30 }, async () => (await tom.begin(100)).status)
      const ownDatabase = sql`database = (select oid from pg_database where datname = current_database())`
      const waiting = async () => {
        const locks = sql`select pid from pg_locks where locktype = 'advisory' and not granted and ${ownDatabase}`
        return (await locks.execute(other.query)).rows.length
      }
      await expect.poll(waiting).toBeGreaterThan(0)
      // They would be refused if all connections waited.
      for (let i = 0; i < 20; i++) await tom.sent()
      expect(await waiting()).toBe(1)
      release()
      await holding
      expect(new Set(await Promise.all(begun))).toEqual(new Set([201]))
      expect(new Set(await Promise.all(named))).toEqual(new Set([200]))
    })

    test('is one Live Photo, if its two halves are handed over together', async () => {
      const ben = await memberOf(library())
      const { album, tom, waiting } = await weddingOf(ben, 2)
      const [still, clip] = [await makePicture({ takenAt: TAKEN }), await makeClip(TAKEN)]
      const halves: [string, string] = [await tom.upload(still), await tom.upload(clip)]
      const sent = await finishPair(tom, halves)
      expect(sent).toMatchObject({ with_clip: true, name: 'IMG_1.JPG', size: still.length + clip.length })
      // Again, because the answer was lost.
      expect(await finishPair(tom, halves)).toEqual(sent)
      expect(await tom.sent()).toHaveLength(1)
      // It takes the place of one file in the link.
      expect((await tom.begin(1)).status).toBe(201)
      const { uploads } = await remainsOf(library())
      expect(uploads.filter(name => halves.some(path => path.includes(name)))).toEqual([])

      await expect.poll(async () => (await waiting())[0]?.live, { timeout: 150_000 }).toBe(true)
      const ids = (await waiting()).map(({ id }) => id)
      expect((await ben.call(acceptGuestUploads, { body: { ids } })).ids).toHaveLength(1)
      const [file] = (await ben.call(listMedia, { query: { album: album.id } })).files
      expect((await ben.call(getMedia, { params: { id: file?.id ?? 0 } })).motion_url).not.toBeNull()
    })

    test('is not joined with a video that only has the same name', async () => {
      const ben = await memberOf(library())
      const { tom, waiting } = await weddingOf(ben)
      const [photo, clip] = [
        await tom.upload(await makePicture({ takenAt: TAKEN, width: 65 })),
        await tom.upload(await makeClip('2019-01-01T00:00:00')),
      ]
      expect(await finishPair(tom, [photo, clip])).toMatchObject({ with_clip: false })
      expect((await tom.finish(clip, 'IMG_1.MOV')).status).toBe(201)
      expect((await waiting()).map(({ name, file_type }) => [name, file_type])).toEqual([
        ['IMG_1.JPG', 'image'],
        ['IMG_1.MOV', 'video'],
      ])
      // Nor is one clip the half of two photos, or of itself.
      const other = await tom.upload(await makePicture({ takenAt: TAKEN, width: 66 }))
      expect(await finishPair(tom, [other, clip])).toMatchObject({ with_clip: false })
      expect((await tom.finish(other, 'a.jpg', { path: other, name: 'a.mov' })).status).toBe(400)
      const third = await tom.upload(await makePicture({ width: 67 }))
      const unknown = `${third.slice(0, -4)}0000`
      expect((await tom.finish(third, 'b.jpg', { path: unknown, name: 'b.mov' })).status).toBe(404)
    })

    // On SQLite, with its single writer, an upload waits until the files are taken in.
    test.runIf(engine === 'postgres')(
      'gives way to that of a member who uploads the same bytes at that time',
      async () => {
        const ada = await memberOf(library(), 'ada')
        const { album, tom, waiting } = await weddingOf(ada)
        await tom.send('one.jpg', await makePicture({ width: 71 }))
        await tom.send('two.jpg', await makePicture({ width: 72 }))
        const ids = (await waiting()).map(({ id }) => id)
        const guestHash = async (name: string) =>
          String((await library().rows(`select hash from media where original_name = '${name}'`))[0]?.hash).split(
            ':',
          )[0]
        const [one = 0, two = 0] = await insertMedia(library(), [{ name: 'first.jpg' }, { name: 'second.jpg' }])
        const hashes = await Promise.all(['one.jpg', 'two.jpg'].map(guestHash))
        const holder = await anotherServersDatabase(library())
        /** A transaction that gives a file the hash, and commits when it is released. */
        async function hold(id: number, hash: string) {
          const released = Promise.withResolvers<void>()
          const held = Promise.withResolvers<number>()
          const committed = holder.transaction(async tx => {
            await tx.updateTable('media').set({ hash }).where('id', '=', id).execute()
            const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
            held.resolve(rows[0]?.pid ?? 0)
            await released.promise
          })
          committed.catch(held.reject)
          const release = () => {
            released.resolve()
            return committed
          }
          return { pid: await held.promise, release }
        }
        const blockingPids = async () =>
          (await library().rows('select unnest(pg_blocking_pids(pid)) as pid from pg_stat_activity')).map(
            row => row.pid,
          )
        const holds = new Set([await hold(one, hashes[0] ?? ''), await hold(two, hashes[1] ?? '')])
        const accepting = ada.call(acceptGuestUploads, { body: { ids } })
        // Two uploads that commit one after the other, each when the files are almost taken in. Postgres chooses which is first.
        while (holds.size > 0) {
          const blocking = await vi.waitFor(
            async () => {
              const pids = await blockingPids()
              const found = [...holds].find(({ pid }) => pids.includes(pid))
              if (!found) throw new Error('Nothing waits for an upload')
              return found
            },
            { timeout: 60_000, interval: 10 },
          )
          holds.delete(blocking)
          await blocking.release()
        }
        expect(await accepting).toEqual({ ids, duplicates: 2 })
        const { files } = await ada.call(listMedia, { query: { album: album.id } })
        expect(files.map(file => file.id).sort((a, b) => a - b)).toEqual([one, two])
      },
    )
  },
  { environment: { FFMPEG_PATH: ffmpeg.path } },
)
