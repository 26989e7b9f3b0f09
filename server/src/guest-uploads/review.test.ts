import { expect, test, vi } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { addToAlbum, createAlbum, removeFromAlbum } from '#contract/albums.ts'
import {
  acceptGuestUploads,
  listGuestUploads,
  reconsiderGuestUploads,
  rejectGuestUploads,
} from '#contract/guest-uploads.ts'
import type { LiveEvent } from '#contract/live.ts'
import { captionMedia, getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { listNotifications } from '#contract/notifications.ts'
import { makeUploadLink, senderOf } from '../../test/fixtures/guests.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { storageOf } from '../../test/fixtures/remains.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'
import { listen, untilDelivered } from '../../test/listener.ts'
import { purgeDeleted } from '../media/trash.ts'

vi.setConfig({ testTimeout: 60_000 })

let pictures = 0
/** Different bytes each time. */
const newPicture = () => makePicture({ width: 64 + ++pictures, height: 50 })

onBothEngines('the review of files from guests', (library, engine) => {
  async function weddingOf(person: SignedIn) {
    const album = await person.call(createAlbum, { body: { title: 'Wedding' } })
    const link = await makeUploadLink(person, album.id)
    const waiting = async () =>
      (await person.call(listGuestUploads, { query: { album: album.id } })).map(({ id }) => id)
    const files = async () => (await person.call(listMedia, { query: { album: album.id } })).files
    return { album, link, waiting, files, guest: (name: string) => senderOf(library(), link, name) }
  }

  /** As after TRASH_DAYS. Not by the clock, because the cleanup would remove the uploads of the next tests. */
  async function purge() {
    await library().rows(`update media set deleted_at = 1 where deleted_at <= ${library().now()}`)
    const deps = { db: await library().database(), storage: await storageOf(library()), clock: library().now }
    await purgeDeleted({ ...deps, trashDays: library().config.trashDays })
  }

  test('is announced to those who may review, and to no viewer', async () => {
    const [ben, viewer] = [await memberOf(library()), await library().newViewer()]
    const { waiting, guest, files } = await weddingOf(ben)
    const tom = await guest('Tom')
    await untilDelivered(library())
    const [bens, viewers] = [await listen(ben), await listen(viewer)]
    await tom.send('cake.jpg', await newPicture())
    const [id = 0] = await waiting()
    await ben.call(rejectGuestUploads, { body: { ids: [id] } })
    await ben.call(reconsiderGuestUploads, { body: { ids: [id] } })
    await bens.receives({ kind: 'guest-uploads' })
    const before = [...viewers.received]
    // In the library everybody may know of it, and that it leaves it again.
    await ben.call(acceptGuestUploads, { body: { ids: [id] } })
    const [file] = await files()
    const news: LiveEvent = { kind: 'media', ids: [file?.id ?? 0] }
    await viewers.receives(news)
    expect(viewers.received.slice(0, before.length)).toEqual([])
    viewers.forget()
    await ben.call(reconsiderGuestUploads, { body: { ids: [id] } })
    await viewers.receives(news)
    expect(viewers.received.filter(({ kind }) => kind === 'guest-uploads')).toEqual([])
  })

  test('leaves no notification unread once the last file is decided', async () => {
    const [ada, ben] = [await memberOf(library(), 'ada'), await memberOf(library())]
    const { album, waiting, guest } = await weddingOf(ada)
    const tom = await guest('Tom')
    await tom.send('cake.jpg', await newPicture())
    await tom.send('dance.jpg', await newPicture())
    const isRead = async () =>
      (await ben.call(listNotifications, { query: {} })).find(({ title }) => title.includes(album.title))?.read
    const [cake = 0, dance = 0] = await waiting()
    await ada.call(acceptGuestUploads, { body: { ids: [cake] } })
    expect(await isRead()).toBe(false)
    await ada.call(rejectGuestUploads, { body: { ids: [dance] } })
    expect(await isRead()).toBe(true)
  })

  test('leaves the name of the guest on what was accepted, where everybody sees and finds it', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const { album, waiting, guest, files } = await weddingOf(ben)
    await (await guest('Aunt Zora')).send('cake.jpg', await newPicture())
    await ada.call(acceptGuestUploads, { body: { ids: await waiting() } })
    const [file] = await files()
    const id = file?.id ?? 0
    const sent = { id, sent_by: 'Aunt Zora', uploaded_by: { username: 'ada' } }
    expect(await ben.call(getMedia, { params: { id } })).toMatchObject(sent)
    expect((await ben.call(listMedia, { query: { search: 'zora' } })).files).toMatchObject([sent])
    await ben.call(captionMedia, { params: { id }, body: { caption: 'The cake' } })
    expect((await ben.call(listMedia, { query: { search: 'zora cake' } })).files).toMatchObject([sent])
    const lines = await ada.call(listActivity, { query: {} })
    expect(lines.find(one => one.act === 'guests.accept' && one.subject_name === album.title)).toMatchObject({
      actor: { username: 'ada' },
      before: { files: 1, guests: ['Aunt Zora'] },
    })
    const own = await insertMedia(library(), [{ name: 'own.jpg' }])
    expect(await ben.call(getMedia, { params: { id: own[0] ?? 0 } })).toMatchObject({ sent_by: null })
  })

  test('keeps a file that two guests have sent as long as one of them is accepted', async () => {
    const ada = await memberOf(library(), 'ada')
    const { waiting, guest, files } = await weddingOf(ada)
    const bytes = await newPicture()
    await (await guest('Tom')).send('tom.jpg', bytes)
    await (await guest('Una')).send('una.jpg', bytes)
    const ids = await waiting()
    const [first = 0, second = 0] = ids
    expect(await ada.call(acceptGuestUploads, { body: { ids } })).toEqual({ ids, duplicates: 1 })
    const [file] = await files()
    // The one whose bytes are in the library is taken back, refused and purged.
    expect(await ada.call(reconsiderGuestUploads, { body: { ids: [first] } })).toEqual({ ids: [first] })
    expect(await waiting()).toEqual([first])
    expect((await files()).map(({ id }) => id)).toEqual([file?.id])
    await ada.call(rejectGuestUploads, { body: { ids: [first] } })
    await purge()
    const kept = await ada.call(getMedia, { params: { id: file?.id ?? 0 } })
    expect((await fetch(new URL(kept.download_url, library().url))).status).toBe(200)
    // The last one that needs it takes it along.
    expect(await ada.call(reconsiderGuestUploads, { body: { ids: [second] } })).toEqual({ ids: [second] })
    expect((await ada.call(listMedia, { query: { limit: 100 } })).files.map(({ id }) => id)).not.toContain(file?.id)
    expect(await ada.call(acceptGuestUploads, { body: { ids: [second] } })).toEqual({ ids: [second], duplicates: 0 })
  })

  test('leaves a file in the library whose only other bytes are purged', async () => {
    const ada = await library().signInAs('ada')
    const { waiting, guest, files } = await weddingOf(ada)
    const bytes = await newPicture()
    await (await guest('Tom')).send('tom.jpg', bytes)
    await (await guest('Una')).send('una.jpg', bytes)
    const ids = await waiting()
    await ada.call(acceptGuestUploads, { body: { ids } })
    const [file] = await files()
    await purge()
    expect(await ada.call(reconsiderGuestUploads, { body: { ids: ids.slice(0, 1) } })).toEqual({ ids: [] })
    await expect(ada.call(getMedia, { params: { id: file?.id ?? 0 } })).resolves.toMatchObject({ id: file?.id })
  })

  test('keeps the file of an album that two guests have sent to it', async () => {
    const ada = await library().signInAs('ada')
    const { waiting, guest, files } = await weddingOf(ada)
    const bytes = await newPicture()
    await (await guest('Tom')).send('tom.jpg', bytes)
    const [first = 0] = await waiting()
    await ada.call(acceptGuestUploads, { body: { ids: [first] } })
    await (await guest('Una')).send('una.jpg', bytes)
    const [second = 0] = await waiting()
    // The album has it already.
    await ada.call(acceptGuestUploads, { body: { ids: [second] } })
    await ada.call(reconsiderGuestUploads, { body: { ids: [first] } })
    expect(await files()).toHaveLength(1)
    await ada.call(reconsiderGuestUploads, { body: { ids: [second] } })
    expect(await files()).toEqual([])
  })

  // SQLite has a single writer.
  test.runIf(engine === 'postgres')('and changes of the same album do not block each other', async () => {
    const [ada, ben] = [await library().signInAs('ada'), await library().signInAs('ben')]
    const { album, waiting, guest } = await weddingOf(ada)
    const tom = await guest('Tom')
    const held: Buffer[] = []
    for (let i = 0; i < 6; i++) held.push(await newPicture())
    for (const bytes of held) await tom.send('held.jpg', bytes)
    const ids = await waiting()
    // The library has their bytes, so that both sides lock the same files.
    const fileIds = await insertMedia(
      library(),
      ids.map(() => ({ name: 'of the library.jpg' })),
    )
    const sent = await library().rows(`select hash from media where original_name = 'held.jpg' order by id`)
    for (const [i, { hash }] of sent.entries()) {
      await library().rows(`update media set hash = '${String(hash).split(':')[0]}' where id = ${fileIds[i]}`)
    }
    const params = { id: album.id }
    const deadlocks = async () =>
      Number(
        (await library().rows('select deadlocks from pg_stat_database where datname = current_database()'))[0]
          ?.deadlocks,
      )
    for (let round = 0; round < 40; round++) {
      await Promise.all([
        ada.call(acceptGuestUploads, { body: { ids } }),
        ben.call(addToAlbum, { params, body: { fileIds } }),
      ])
      await Promise.all([
        ada.call(reconsiderGuestUploads, { body: { ids } }),
        ben.call(addToAlbum, { params, body: { fileIds } }),
      ])
      await ada.call(removeFromAlbum, { params, body: { fileIds } })
    }
    // Postgres counts them a moment later.
    await library().rows('select pg_stat_force_next_flush()')
    expect(await deadlocks()).toBe(0)
  })
})
