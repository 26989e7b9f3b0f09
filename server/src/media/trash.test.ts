import { expect, test } from 'vitest'
import { listActivity, listActivityFiles } from '#contract/admin.ts'
import { createFolder, deleteFolder } from '#contract/folders.ts'
import { DAY } from '#contract/limits.ts'
import { bulkDelete, deleteMedia, getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { type DeletedFile, deletedIds, listDeleted, restoreFiles } from '#contract/trash.ts'
import { fetchFrom } from '../../test/fixtures/addresses.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { expectNoOrphans } from '../../test/fixtures/remains.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../test/library.ts'

const soon = { timeout: 15_000 }

onOneEngine('a deleted file', library => {
  test('is seen and brought back by who deleted or uploaded it and by admins, by nobody else', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const rose = await memberOf(library(), 'rose')
    const { id } = await uploadFile(ben, { name: 'sorry.jpg' })
    await untilPrepared(ben, id)
    const before = await ben.call(listMedia, { query: {} })
    await ben.call(deleteMedia, { params: { id } })
    const [deleted] = await ada.call(listDeleted, { query: {} })
    expect(deleted).toMatchObject({ id, original_name: 'sorry.jpg', deleted_by: { username: 'ben' } })
    const days = (Date.parse(deleted?.purged_at ?? '') - Date.parse(deleted?.deleted_at ?? '')) / DAY
    expect(days).toBe(library().config.trashDays)
    expect((await fetchFrom(library(), deleted?.thumbnail_url)).type).toBe('image/jpeg')
    expect(deleted?.preview_url).not.toBe(deleted?.thumbnail_url)
    expect((await fetchFrom(library(), deleted?.preview_url)).type).toBe('image/jpeg')

    expect(await rose.call(listDeleted, { query: {} })).toEqual([])
    expect(await rose.call(deletedIds, { query: {} })).toEqual({ ids: [] })
    const restore = { body: { fileIds: [id] } }
    await expect(rose.call(restoreFiles, restore)).rejects.toMatchObject({ status: 404 })
    expect(await ada.call(deletedIds, { query: {} })).toEqual({ ids: [id] })
    expect(await ben.call(deletedIds, { query: {} })).toEqual({ ids: [id] })
    expect(await ben.call(listDeleted, { query: {} })).toEqual([deleted])
    expect(await ben.call(restoreFiles, restore)).toMatchObject({ restored: 1 })

    // The photo is Ben's, but this time Rose deletes it.
    await rose.call(deleteMedia, { params: { id } })
    expect(await ben.call(listDeleted, { query: {} })).toMatchObject([{ id, deleted_by: { username: 'rose' } }])
    expect(await ben.call(restoreFiles, restore)).toMatchObject({ restored: 1 })
    await rose.call(deleteMedia, { params: { id } })
    await ada.call(restoreFiles, restore)
    expect(await ada.call(listDeleted, { query: {} })).toEqual([])
    expect(await ben.call(listMedia, { query: {} })).toMatchObject({ stats: before.stats, count: before.count })
    await expect(ada.call(restoreFiles, { body: { fileIds: [id] } })).rejects.toMatchObject({ status: 404 })
  })

  test('comes back into its folder, or to the root when that is gone', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const folder = await ben.call(createFolder, { body: { name: 'Nest' } })
    const { id } = await uploadFile(ben, { name: 'nestling.jpg', folderId: folder.id })
    await ben.call(deleteMedia, { params: { id } })
    await ada.call(restoreFiles, { body: { fileIds: [id] } })
    expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ folder_id: folder.id })
    await ben.call(deleteMedia, { params: { id } })
    await ben.call(deleteFolder, { params: { id: folder.id } })
    await ada.call(restoreFiles, { body: { fileIds: [id] } })
    expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ folder_id: null })
    expect((await ben.call(listMedia, { query: { folder_id: 'root', search: 'nestling' } })).count).toBe(1)
  })

  test('comes back with the others of its batch, without what others deleted or restored since', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const files = await Promise.all([1, 2, 3, 4].map(i => uploadFile(rose, { name: `batch ${i}.jpg` })))
    const [first = 0, second = 0, ...others] = files.map(file => file.id).toSorted((a, b) => a - b)
    const before = await ben.call(listMedia, { query: {} })
    await rose.call(deleteMedia, { params: { id: first } })
    const all = { body: { fileIds: [first, second, ...others] } }
    expect(await ben.call(bulkDelete, all)).toMatchObject({ deleted: 3, fileIds: [second, ...others] })
    await ben.call(restoreFiles, { body: { fileIds: [second] } })
    expect(await ben.call(restoreFiles, all)).toMatchObject({ restored: 2 })
    expect(await rose.call(restoreFiles, all)).toMatchObject({ restored: 1 })
    const after = await ben.call(listMedia, { query: {} })
    expect(after).toMatchObject({ stats: before.stats, count: before.count })
    await expect(ben.call(restoreFiles, { body: { fileIds: [] } })).rejects.toMatchObject({ status: 422 })
  })

  test('is brought back once by two admins at once', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const { stats } = await ben.call(listMedia, { query: {} })
    const { id, file_size } = await uploadFile(ben, { name: 'twice.jpg' })
    await ben.call(deleteMedia, { params: { id } })
    const answers = await Promise.allSettled([1, 2, 3].map(() => ada.call(restoreFiles, { body: { fileIds: [id] } })))
    expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(1)
    const after = await ben.call(listMedia, { query: {} })
    expect(after.stats).toMatchObject({ total: stats.total + 1, totalSize: stats.totalSize + file_size })
  })

  test('comes newest first, page by page', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const files = await Promise.all([1, 2, 3, 4, 5].map(i => uploadFile(ben, { name: `page ${i}.jpg` })))
    const ids = files.map(file => file.id)
    // Files deleted together have the same deletion time; the last one is deleted separately.
    await ben.call(bulkDelete, { body: { fileIds: ids.slice(1) } })
    library().pass(1_000)
    await ben.call(deleteMedia, { params: { id: ids[0] ?? 0 } })
    const wanted = [ids[0], ...ids.slice(1).toSorted((a, b) => b - a)]
    const pageAfter = (last?: DeletedFile) =>
      ada.call(listDeleted, { query: { limit: 2, ...(last && { before: last.id, deleted_before: last.deleted_at }) } })
    const first = await pageAfter()
    const second = await pageAfter(first[1])
    // What is restored while somebody scrolls must not end the list.
    await ada.call(restoreFiles, { body: { fileIds: second.map(file => file.id) } })
    const third = await pageAfter(second[1])
    expect([...first, ...second, ...third].map(file => file.id)).toEqual(wanted)
    const withoutTime = ada.call(listDeleted, { query: { before: wanted[0] } })
    await expect(withoutTime).rejects.toMatchObject({ status: 422 })
  })

  test('is purged when its time is over: its bytes are gone, and so is every trace but the audit line', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const bytes = await makePicture()
    const stays = await uploadFile(ben, { name: 'stays.jpg' })
    const doomed = await uploadFile(ben, { name: 'doomed.jpg', bytes })
    const late = await uploadFile(ben, { name: 'late.jpg' })
    for (const { id } of [stays, doomed, late]) await untilPrepared(ben, id)
    await ben.call(deleteMedia, { params: { id: doomed.id } })
    library().pass(DAY)
    await ben.call(deleteMedia, { params: { id: late.id } })
    library().pass((library().config.trashDays - 1) * DAY + 1)

    const keys = async (id: number) =>
      (await library().rows(`select key from media_parts where media_id = ${id}`)).map(row => row.key)
    await expect.poll(() => keys(doomed.id), soon).toEqual([])
    await expectNoOrphans(library())
    expect(await keys(late.id)).not.toEqual([])
    expect(await keys(stays.id)).toHaveLength(5)
    expect((await library().anyone.fetch(doomed.download_url)).status).toBeGreaterThanOrEqual(403)
    await expect(ada.call(restoreFiles, { body: { fileIds: [doomed.id] } })).rejects.toMatchObject({ status: 404 })
    const [line] = await ada.call(listActivity, { query: { media_id: doomed.id } })
    expect(line).toMatchObject({ act: 'media.purge', actor: null, before: { name: 'doomed.jpg' } })

    const again = await uploadFile(ben, { name: 'doomed.jpg', bytes })
    expect(again.id).toBeGreaterThan(late.id)
  })

  test('is purged with others in one line of the activity, however many they are', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const files = Array.from({ length: 250 }, (_, i) => ({ name: `${i}.jpg` }))
    const ids = await insertMedia(library(), files)
    await ben.call(bulkDelete, { body: { fileIds: ids } })
    library().pass(library().config.trashDays * DAY + 1)
    const lastLine = async () => (await ada.call(listActivity, { query: { media_id: ids[0] } }))[0]
    await expect.poll(lastLine, soon).toMatchObject({ act: 'media.purge', before: { name: '0.jpg' } })
    const id = (await lastLine())?.id ?? 0
    await expect.poll(() => library().rows(`select id from media where id = ${ids.at(-1)}`), soon).toEqual([])
    const purged = new Set<number>()
    for (let after: number | undefined; ; ) {
      const query = after === undefined ? {} : { after }
      const page = await ada.call(listActivityFiles, { params: { id }, query })
      for (const file of page) purged.add(file.media_id)
      after = page.at(-1)?.id
      if (after === undefined) break
    }
    expect(ids.filter(file => !purged.has(file))).toEqual([])
  })
})
