import { beforeAll, expect, test } from 'vitest'
import { retryFailedFile } from '#contract/admin.ts'
import { createFolder, deleteFolder, updateFolder } from '#contract/folders.ts'
import { heartFile, unheartFile } from '#contract/hearts.ts'
import type { LiveEvent } from '#contract/live.ts'
import { bulkDelete, deleteMedia, moveFiles, rehashMedia, renameMedia } from '#contract/media.ts'
import { restoreFiles } from '#contract/trash.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'
import { type Listener, listen, untilDelivered } from '../../test/listener.ts'

onBothEngines('every page of the family hears', library => {
  let ben: SignedIn
  let ada: SignedIn
  beforeAll(async () => {
    ben = await library().newMember()
    ada = await library().admin()
  })

  /** Asserts that another person's page receives these events after an action, possibly among others. */
  async function eventsDuring(act: () => Promise<unknown>, ...events: LiveEvent[]): Promise<void> {
    const listener: Listener = await listen(ada)
    await act()
    for (const event of events) await listener.receives(event)
    listener.cut()
  }

  test('of a new photo, and again when it is ready', async () => {
    const listener = await listen(ada)
    const { id } = await uploadFile(ben, { name: 'new.jpg' })
    await listener.receives({ kind: 'media', ids: [id] })
    expect((await untilPrepared(ben, id)).status).toBe('ready')
    const news = () => listener.received.filter(event => event.kind === 'media' && event.ids.includes(id))
    await expect.poll(() => news().length).toBeGreaterThanOrEqual(2)
  })

  test('of one that cannot be prepared, and that it is tried again', async () => {
    const bytes = Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xe0), Buffer.from('no photo at all'.repeat(9))])
    const listener = await listen(ada)
    const { id } = await uploadFile(ben, { name: 'broken.jpg', bytes })
    expect((await untilPrepared(ben, id)).status).toBe('failed')
    const news = () => listener.received.filter(event => event.kind === 'media' && event.ids.includes(id))
    await expect.poll(() => news().length).toBeGreaterThanOrEqual(2)
    await eventsDuring(() => ada.call(retryFailedFile, { params: { id } }), { kind: 'media', ids: [id] })
  })

  test('of a file that is renamed, moved, confirmed, deleted and brought back', async () => {
    const { id, hash } = await uploadFile(ben, { name: 'old.jpg' })
    await untilPrepared(ben, id)
    const news: LiveEvent = { kind: 'media', ids: [id] }
    const folder = await ben.call(createFolder, { body: { name: 'Somewhere', parent_id: null } })
    await eventsDuring(() => ben.call(renameMedia, { params: { id }, body: { newName: 'new.jpg' } }), news)
    await eventsDuring(() => ben.call(moveFiles, { body: { fileIds: [id], folderId: folder.id } }), news)
    await eventsDuring(() => ben.call(rehashMedia, { params: { id }, body: { hash } }), news)
    await eventsDuring(() => ben.call(deleteMedia, { params: { id } }), news)
    await eventsDuring(() => ada.call(restoreFiles, { body: { fileIds: [id] } }), news)
    await eventsDuring(() => ben.call(bulkDelete, { body: { fileIds: [id, 999_999_999] } }), news)
  })

  test('of hearts, given and taken back', async () => {
    const [id = 0] = await insertMedia(library(), [{ name: 'loved.jpg' }])
    const news: LiveEvent = { kind: 'hearts', person_id: await library().idOf(ben.person), ids: [id] }
    await eventsDuring(() => ben.call(heartFile, { params: { id } }), news)
    await eventsDuring(() => ben.call(unheartFile, { params: { id } }), news)
  })

  test('of so many files at once that they are not named one by one', async () => {
    const inserted = Array.from({ length: 1_500 }, (_, i) => ({ name: `inserted ${i}.jpg` }))
    const fileIds = await insertMedia(library(), inserted)
    await eventsDuring(() => ben.call(bulkDelete, { body: { fileIds } }), { kind: 'media', ids: [] })
  })

  test('of folders, and of the files that leave one', async () => {
    const listener = await listen(ada)
    const { id } = await ben.call(createFolder, { body: { name: 'Nest', parent_id: null } })
    await listener.receives({ kind: 'folders' })
    await uploadFile(ben, { name: 'nestling.jpg', folderId: id })
    await eventsDuring(() => ben.call(updateFolder, { params: { id }, body: { name: 'Old nest' } }), {
      kind: 'folders',
    })
    await eventsDuring(
      () => ben.call(deleteFolder, { params: { id } }),
      { kind: 'folders' },
      { kind: 'media', ids: [] },
    )
  })

  test('nothing of what did not happen', async () => {
    await untilDelivered(library())
    const listener = await listen(ada)
    const refused = ben.call(renameMedia, { params: { id: 999_999_999 }, body: { newName: 'x.jpg' } })
    await expect(refused).rejects.toMatchObject({ status: 404 })
    expect(await ben.call(bulkDelete, { body: { fileIds: [999_999_999] } })).toMatchObject({ deleted: 0, fileIds: [] })
    await ben.call(createFolder, { body: { name: 'The end', parent_id: null } })
    await listener.receives({ kind: 'folders' })
    const ids = listener.received.flatMap(event =>
      event.kind === 'media' ? (event.ids.length > 0 ? event.ids : [0]) : [],
    )
    expect([0, 999_999_999].filter(id => ids.includes(id))).toEqual([])
  })
})
