import { expect, test, vi } from 'vitest'
import { addToAlbum, albumsOfFile, createAlbum, deleteAlbum, getAlbum } from '#contract/albums.ts'
import {
  acceptGuestUploads,
  type GuestUpload,
  listGuestUploads,
  reconsiderGuestUploads,
  rejectGuestUploads,
  waitingGuestUploads,
} from '#contract/guest-uploads.ts'
import { DAY, lengths, guestUploads as limits, uploads } from '#contract/limits.ts'
import { listLinks, updateLink } from '#contract/links.ts'
import { deleteMedia } from '#contract/media.ts'
import { listMedia, mediaIds, mediaStats, timeline } from '#contract/media-list.ts'
import { listNotifications } from '#contract/notifications.ts'
import { changeMySettings } from '#contract/settings.ts'
import { listDeleted } from '#contract/trash.ts'
import { makeUploadLink, openedBy, senderOf } from '../../test/fixtures/guests.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { expectNoOrphans, remainsOf, storageOf, untilAtRest } from '../../test/fixtures/remains.ts'
import { uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onOneEngine, type SignedIn } from '../../test/library.ts'
import { verifyOriginal } from '../media/integrity.ts'
import { purgeDeleted } from '../media/trash.ts'

vi.setConfig({ testTimeout: 60_000 })

let pictures = 0
/** Different bytes each time. */
const newPicture = () => makePicture({ width: 64 + ++pictures, height: 48 })

async function weddingOf(person: SignedIn, options: Parameters<typeof makeUploadLink>[2] = {}) {
  const album = await person.call(createAlbum, { body: { title: 'Wedding' } })
  return { album, link: await makeUploadLink(person, album.id, options) }
}

async function waitingFor(person: SignedIn, album: number): Promise<GuestUpload[]> {
  return person.call(listGuestUploads, { query: { album } })
}

const filesIn = async (person: SignedIn, album: number) =>
  (await person.call(listMedia, { query: { album, limit: 100 } })).files.map(file => file.original_name)

/** Everything by which a member could notice a file. */
async function traces(person: SignedIn) {
  const [stats, list, days, found, deleted] = await Promise.all([
    person.call(mediaStats, { query: {} }),
    person.call(listMedia, { query: { limit: 100 } }),
    person.call(timeline, { query: {} }),
    person.call(listMedia, { query: { limit: 100, search: 'cake' } }),
    person.call(listDeleted, { query: {} }),
  ])
  return { stats, ids: list.files.map(file => file.id), days, found: found.files.length, deleted }
}

onOneEngine('an upload link', (library: () => Library) => {
  test('takes files that nobody sees in the library until a member takes them in', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const { album, link } = await weddingOf(ben)
    expect(link).toMatchObject({ album: { title: 'Wedding' }, file_count: 0, uploads: { files: 0, waiting: 0 } })
    const before = await traces(ada)

    const tom = await senderOf(library(), link, '  Tom\u202e \n the  Great ')
    expect((await tom.guest.open()).answer).toMatchObject({
      link: { title: 'Wedding', uploads: { guest: 'Tom the Great' } },
    })
    // Names that turn around or hide what a member reads beside them lose that.
    const disguised = ' \u202ecake\u2066\u0007.jpg\n'
    expect(await tom.send(disguised, await newPicture())).toMatchObject({ name: 'cake.jpg', picture: false })
    await tom.send('dance.jpg', await newPicture())
    await untilAtRest(library())
    expect(await tom.sent()).toMatchObject([
      { name: 'dance.jpg', picture: true },
      { name: 'cake.jpg', picture: true },
    ])
    expect(await traces(ada)).toEqual(before)
    expect((await ada.call(getAlbum, { params: { id: album.id } })).file_count).toBe(0)
    expect(await ada.call(waitingGuestUploads)).toContainEqual({
      album: { id: album.id, title: 'Wedding' },
      waiting: 2,
    })

    const [cake, dance] = await waitingFor(ada, album.id)
    expect(cake).toMatchObject({ name: 'cake.jpg', guest: 'Tom the Great', status: 'ready', width: expect.any(Number) })
    expect(cake?.edtf).toBeNull()
    library().pass(60_000)
    const new_since = new Date(library().now() - 1).toISOString()
    expect((await fetch(new URL(cake?.thumbnail_url ?? '', library().url))).status).toBe(200)
    expect(await ada.call(acceptGuestUploads, { body: { ids: [cake?.id ?? 0] } })).toEqual({
      ids: [cake?.id],
      duplicates: 0,
    })
    expect(await ada.call(rejectGuestUploads, { body: { ids: [dance?.id ?? 0] } })).toEqual({ ids: [dance?.id] })
    // Decided on already.
    expect(await ben.call(acceptGuestUploads, { body: { ids: [dance?.id ?? 0] } })).toEqual({ ids: [], duplicates: 0 })

    expect(await filesIn(ben, album.id)).toEqual(['cake.jpg'])
    const [file] = (await ben.call(listMedia, { query: { album: album.id, limit: 1 } })).files
    expect(file).toMatchObject({ uploaded_by: expect.anything() })
    // Sent before, and new since it is in the library.
    expect((await ben.call(mediaIds, { query: { new_since } })).ids).toEqual([file?.id])
    expect((await ada.call(mediaIds, { query: { new_since } })).ids).toEqual([])
    const [inAlbum] = await ben.call(albumsOfFile, { params: { id: file?.id ?? 0 } })
    expect(inAlbum).toMatchObject({ guest: 'Tom the Great', added_by: { name: expect.stringContaining('Ada') } })
    expect((await ada.call(mediaStats, { query: {} })).total).toBe(before.stats.total + 1)
    expect((await ada.call(listDeleted, { query: {} })).length).toBe(before.deleted.length)
    // The guest does not learn what became of them.
    const after = await tom.sent()
    expect(after).toMatchObject([
      { name: 'dance.jpg', picture: false },
      { name: 'cake.jpg', picture: false },
    ])
    await expectNoOrphans(library())
  })

  test('never says whether the library has a file, and adds that one to the album', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const { album, link } = await weddingOf(ben)
    const bytes = await newPicture()
    const held = await uploadFile(ben, { name: 'held.jpg', bytes })
    await untilAtRest(library())
    const [tom, una] = [await senderOf(library(), link, 'Tom'), await senderOf(library(), link, 'Una')]
    const [known, unknown] = [await tom.send('a.jpg', bytes), await tom.send('b.jpg', await newPicture())]
    await una.send('c.jpg', bytes)
    expect({ ...known, id: 0, name: '', size: 0, sent_at: '' }).toEqual({
      ...unknown,
      id: 0,
      name: '',
      size: 0,
      sent_at: '',
    })
    await untilAtRest(library())
    const states = (await tom.sent()).map(({ picture }) => picture)
    expect(states).toEqual([true, true])

    const ids = (await waitingFor(ada, album.id)).map(upload => upload.id)
    expect(await ada.call(acceptGuestUploads, { body: { ids } })).toEqual({ ids, duplicates: 2 })
    expect((await filesIn(ada, album.id)).sort()).toEqual(['b.jpg', 'held.jpg'])
    expect((await tom.sent()).map(({ picture }) => picture)).toEqual([false, false])
    expect((await una.sent()).length).toBe(1)
    expect(await ada.call(albumsOfFile, { params: { id: held.id } })).toMatchObject([{ guest: expect.any(String) }])

    // Undo: the file that the library had leaves the album and stays in the library.
    expect((await ada.call(reconsiderGuestUploads, { body: { ids } })).ids).toEqual(ids)
    expect(await filesIn(ada, album.id)).toEqual([])
    expect((await ada.call(listMedia, { query: { limit: 100 } })).files.map(file => file.id)).toContain(held.id)
    expect((await waitingFor(ada, album.id)).map(upload => upload.id)).toEqual(ids)
    // A file that was added to the album by somebody before stays there.
    await ben.call(addToAlbum, { params: { id: album.id }, body: { fileIds: [held.id] } })
    await ada.call(acceptGuestUploads, { body: { ids } })
    await ada.call(reconsiderGuestUploads, { body: { ids } })
    expect(await filesIn(ada, album.id)).toEqual(['held.jpg'])
  })

  test('restores the deleted file of the library that has the same bytes', async () => {
    const ada = await memberOf(library(), 'ada')
    const { album, link } = await weddingOf(ada)
    const bytes = await newPicture()
    const held = await uploadFile(ada, { name: 'thrown-away.jpg', bytes })
    await ada.call(deleteMedia, { params: { id: held.id } })
    const tom = await senderOf(library(), link, 'Tom')
    await tom.send('again.jpg', bytes)
    const ids = (await waitingFor(ada, album.id)).map(upload => upload.id)
    expect(await ada.call(acceptGuestUploads, { body: { ids } })).toMatchObject({ duplicates: 1 })
    expect(await filesIn(ada, album.id)).toEqual(['thrown-away.jpg'])
  })

  test('shows a guest nothing of others, and gives no upload to another guest or link', async () => {
    const ben = await memberOf(library())
    const { link } = await weddingOf(ben)
    const { link: other } = await weddingOf(ben)
    const [tom, una, stranger] = [
      await senderOf(library(), link, 'Tom'),
      await senderOf(library(), link, 'Una'),
      await senderOf(library(), other, 'Tom'),
    ]
    const { id } = await tom.send('mine.jpg', await newPicture())
    await untilAtRest(library())
    expect((await tom.guest.fetch(`/uploads/${id}/thumbnail`)).status).toBe(200)
    expect((await una.guest.fetch(`/uploads/${id}/thumbnail`)).status).toBe(404)
    expect((await stranger.guest.fetch(`/uploads/${id}/thumbnail`)).status).toBe(404)
    expect(await una.sent()).toEqual([])

    const path = (await tom.begin(4)).headers.get('location') ?? ''
    for (const sender of [una, stranger]) {
      const theirs = path.replace(/^\/shared\/\d+/, sender === una ? `/shared/${link.id}` : `/shared/${other.id}`)
      expect((await sender.sendChunk(theirs, 0, Buffer.from('evil'))).status).toBe(404)
      expect((await sender.finish(theirs, 'x.jpg')).status).toBe(404)
      const head = { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } }
      expect((await sender.guest.fetch(theirs.replace(/^\/shared\/\d+/, ''), head)).status).toBe(404)
    }
    // Nor to somebody who signs in, whose uploads are elsewhere.
    expect(
      (
        await ben.fetch(`/api/uploads/${path.split('/').at(-1)}`, {
          method: 'DELETE',
          headers: { 'tus-resumable': '1.0.0' },
        })
      ).status,
    ).toBe(404)
    // Without a name nothing is taken; with the link's cookie alone nothing of the album is shown.
    const nameless = await openedBy(library(), link)
    expect((await nameless.fetch('/uploads')).status).toBe(403)
    expect(
      (await nameless.fetch('/tus', { method: 'POST', headers: { 'tus-resumable': '1.0.0', 'upload-length': '3' } }))
        .status,
    ).toBe(403)
    for (const shown of ['/files', '/files/1/thumbnail', '/zip']) expect((await nameless.fetch(shown)).status).toBe(404)
    // A cookie of this guest, forged for another one.
    const cookie = tom.guest.browser.cookie('heirloom_guest') ?? ''
    const forged = `heirloom_guest=${Number(cookie.split('.')[0]) + 1}.${cookie.split('.')[1]}; heirloom_link=${tom.guest.browser.cookie('heirloom_link')}`
    expect((await library().anyone.fetch(`/shared/${link.id}/uploads`, { headers: { cookie: forged } })).status).toBe(
      403,
    )
  })

  test('takes the longest names of a photo and its clip', async () => {
    const ben = await memberOf(library())
    const { link } = await weddingOf(ben)
    const tom = await senderOf(library(), link, 'Tom')
    const [photo, clip] = [await tom.upload(await newPicture()), await tom.upload(Buffer.from('no clip at all'))]
    const named = (ending: string) => '漢'.repeat(lengths.fileName - ending.length) + ending
    const answer = await tom.finish(photo, named('.jpg'), { path: clip, name: named('.mov') })
    expect([answer.status, await answer.json()]).toMatchObject([201, { name: named('.jpg'), with_clip: false }])
  })

  test('refuses what is no photo, and frees its place', async () => {
    const ben = await memberOf(library())
    const { album, link } = await weddingOf(ben, { max_files: 1 })
    const tom = await senderOf(library(), link, 'Tom')
    const before = await remainsOf(library())
    await expect(tom.send('virus.exe', Buffer.from('MZ this is a program'))).rejects.toThrow('415')
    expect(await remainsOf(library())).toMatchObject({
      stored: before.stored,
      uploads: before.uploads,
      files: before.files,
    })
    await tom.send('photo.jpg', await newPicture())
    expect(await waitingFor(ben, album.id)).toHaveLength(1)
  })

  test('takes no more bytes for uploads whose room others have taken since', async () => {
    const ben = await memberOf(library())
    const { link } = await weddingOf(ben, { max_bytes: 1_000 })
    const [tom, una] = [await senderOf(library(), link, 'Tom'), await senderOf(library(), link, 'Una')]
    const slow = (await tom.begin(600)).headers.get('location') ?? ''
    const slower = (await una.begin(400)).headers.get('location') ?? ''
    // Not by the clock, because the cleanup would remove them.
    await library().rows(
      `update guest_uploads set started_at = started_at - ${limits.reserved} where link_id = ${link.id}`,
    )
    expect((await tom.sendChunk(slow, 0, Buffer.alloc(100))).status).toBe(204)
    // Its room is reserved again.
    expect((await una.begin(401)).status).toBe(413)
    const other = await una.begin(400)
    expect(other.status).toBe(201)
    expect((await una.sendChunk(slower, 0, Buffer.alloc(100))).status).toBe(413)
    expect((await una.sendChunk(other.headers.get('location') ?? '', 0, Buffer.alloc(100))).status).toBe(204)
  })

  test('takes no more than its limits, whatever is sent at the same time', async () => {
    const ben = await memberOf(library())
    const { link } = await weddingOf(ben, { max_files: 3, max_bytes: 10_000 })
    const [tom, una] = [await senderOf(library(), link, 'Tom'), await senderOf(library(), link, 'Una')]
    expect((await tom.begin(10_001)).status).toBe(413)
    const begun = await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 ? tom : una).begin(3_000)))
    expect(begun.map(response => response.status).sort()).toEqual([201, 201, 201, 413, 413, 413, 413, 413])
    // More bytes than declared are refused.
    const at = begun.findIndex(response => response.status === 201)
    const path = begun[at]?.headers.get('location') ?? ''
    const owner = at % 2 ? tom : una
    expect((await owner.sendChunk(path, 0, Buffer.alloc(3_001))).status).toBe(413)
    // What is cancelled or never finished is given back.
    const cancel = { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } }
    expect((await owner.guest.fetch(path.slice(`/shared/${link.id}`.length), cancel)).status).toBe(204)
    await expect.poll(async () => (await tom.begin(3_000)).status).toBe(201)
    // Not by the clock, because the cleanup would remove the uploads of the next tests.
    await library().rows(
      `update guest_uploads set started_at = started_at - ${limits.reserved} where link_id = ${link.id}`,
    )
    expect((await tom.begin(9_000)).status).toBe(201)
  })

  test('gives back the room of an upload that was refused at its beginning', async () => {
    const ben = await memberOf(library())
    const { link } = await weddingOf(ben, { max_files: 1, max_bytes: limits.bytes.max })
    const tom = await senderOf(library(), link, 'Tom')
    expect((await tom.begin(uploads.largestBytes + 1)).status).toBe(413)
    expect((await tom.begin(100)).status).toBe(201)
  })

  test('that ends or expires keeps what has arrived, and takes no more', async () => {
    const ben = await memberOf(library())
    const { album, link } = await weddingOf(ben, { days: 1 })
    const tom = await senderOf(library(), link, 'Tom')
    await tom.send('first.jpg', await newPicture())
    const bytes = await newPicture()
    const path = (await tom.begin(bytes.length)).headers.get('location') ?? ''
    await tom.sendChunk(path, 0, bytes)
    await ben.call(updateLink, { params: { id: link.id }, body: { ended: true } })
    expect((await tom.finish(path, 'late.jpg')).status).toBe(404)
    expect((await tom.begin(3)).status).toBe(404)
    await ben.call(updateLink, { params: { id: link.id }, body: { ended: false } })
    expect((await tom.finish(path, 'late.jpg')).status).toBe(201)
    // Again: nothing happens.
    expect((await tom.finish(path, 'late.jpg')).status).toBe(201)
    library().pass(2 * DAY)
    expect((await tom.begin(3)).status).toBe(403)
    expect(await openedBy(library(), link).catch(String)).toContain('404')

    library().pass(400 * DAY)
    const later = await library().signInAs('ben')
    const admin = await library().signInAs('ada')
    expect(await waitingFor(later, album.id)).toMatchObject([{ name: 'first.jpg' }, { name: 'late.jpg' }])
    // Not even with the album: then they come into the library alone.
    await later.call(deleteAlbum, { params: { id: album.id } })
    const [first] = await admin.call(listGuestUploads, { query: { album: album.id } })
    expect(first).toMatchObject({ name: 'first.jpg', album: null })
    expect((await admin.call(acceptGuestUploads, { body: { ids: [first?.id ?? 0] } })).ids).toHaveLength(1)
    expect((await admin.call(listMedia, { query: { limit: 100 } })).files.map(file => file.original_name)).toContain(
      'first.jpg',
    )
  })

  test('has files that were not taken in removed like deleted ones, and brings them back before', async () => {
    const [ben, rose] = [await library().signInAs('ben'), await library().signInAs('rose')]
    const { album, link } = await weddingOf(ben)
    const tom = await senderOf(library(), link, 'Tom')
    const bytes = await newPicture()
    // Again, if the cleanup took the upload for an old one: tests move the clock ahead of the store's.
    await vi.waitFor(() => tom.send('blurred.jpg', bytes), { timeout: 30_000 })
    await untilAtRest(library())
    const ids = (await waitingFor(ben, album.id)).map(upload => upload.id)
    await ben.call(rejectGuestUploads, { body: { ids } })
    const [rejected] = await rose.call(listGuestUploads, { query: { album: album.id, state: 'rejected' } })
    expect(rejected).toMatchObject({
      name: 'blurred.jpg',
      purged_at: expect.any(String),
      decided_by: { name: expect.stringContaining('Ben') },
    })
    expect(await rose.call(reconsiderGuestUploads, { body: { ids } })).toEqual({ ids: [] })
    expect(await ben.call(reconsiderGuestUploads, { body: { ids } })).toEqual({ ids })
    await ben.call(rejectGuestUploads, { body: { ids } })
    const purge = async () => {
      const db = await library().database()
      await purgeDeleted({
        db,
        storage: await storageOf(library()),
        clock: library().now,
        trashDays: library().config.trashDays,
      })
    }
    await purge()
    expect(await ben.call(reconsiderGuestUploads, { body: { ids } })).toEqual({ ids })
    await ben.call(rejectGuestUploads, { body: { ids } })
    library().pass((library().config.trashDays + 1) * DAY)
    await purge()
    const again = await library().signInAs('ben')
    expect(await again.call(listGuestUploads, { query: { album: album.id, state: 'rejected' } })).toEqual([])
    expect(await again.call(reconsiderGuestUploads, { body: { ids } })).toEqual({ ids: [] })
    await expectNoOrphans(library())
  })

  test('tells members in one notification, and viewers in none', async () => {
    const [ben, viewer] = [await library().signInAs('ben'), await library().newViewer()]
    const { album, link } = await weddingOf(ben)
    for (const name of ['Ann', 'Bo', 'Tom']) {
      const sender = await senderOf(library(), link, name)
      await sender.send(`${name}.jpg`, await newPicture())
    }
    const ofAlbum = async (person: SignedIn) =>
      (await person.call(listNotifications, { query: {} })).filter(
        ({ target }) => target?.kind === 'guest-uploads' && target.album_id === album.id,
      )
    expect(await ofAlbum(ben)).toMatchObject([{ title: 'Tom and 2 others sent 3 photos to Wedding', read: false }])
    expect(await ofAlbum(viewer)).toEqual([])
    // Page by page.
    const first = await ben.call(listGuestUploads, { query: { album: album.id, limit: 2 } })
    const second = await ben.call(listGuestUploads, { query: { album: album.id, limit: 2, after: first.at(-1)?.id } })
    expect([first, second].map(page => page.map(({ name }) => name))).toEqual([['Ann.jpg', 'Bo.jpg'], ['Tom.jpg']])
    // Who has switched them off has an old one at most, which stays as it is.
    const [rose, kofi] = [await library().signInAs('rose'), await library().newMember()]
    for (const person of [rose, kofi]) await person.call(changeMySettings, { body: { muted: ['guests'] } })
    const { id } = (await ofAlbum(ben))[0] ?? { id: 0 }
    await ben.fetch(`/api/notifications/${id}/read`, { method: 'PATCH' })
    library().pass(1_000)
    await (await senderOf(library(), link, 'Zoe')).send('z.jpg', await newPicture())
    const titles = (await ofAlbum(ben)).map(({ title }) => title)
    expect(titles).toEqual(['Zoe sent a photo to Wedding', 'Tom and 2 others sent 3 photos to Wedding'])
    expect(await ofAlbum(rose)).toMatchObject([{ title: 'Tom and 2 others sent 3 photos to Wedding' }])
    expect(await ofAlbum(kofi)).toEqual([])
    const [listed] = await ben.call(listLinks, { query: { limit: 1 } })
    expect(listed).toMatchObject({ uploads: { files: 4, waiting: 4 } })
  })

  test('stores bytes that pass the check of stored files', async () => {
    const ben = await library().signInAs('ben')
    const { link } = await weddingOf(ben)
    await (await senderOf(library(), link, 'Tom')).send('whole.jpg', await newPicture())
    await untilAtRest(library())
    const db = await library().database()
    const [media] = await library().rows("select id, hash, format from media where original_name = 'whole.jpg'")
    const deps = { db, storage: await storageOf(library()), clock: library().now }
    const stored = { id: Number(media?.id), hash: String(media?.hash), format: String(media?.format), incomplete: 0 }
    expect(await verifyOriginal(deps, stored)).toBe(true)
  })
})
