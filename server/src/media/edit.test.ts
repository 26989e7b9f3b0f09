import { expect, test } from 'vitest'
import { createFolder, listFolders } from '#contract/folders.ts'
import { bulkChanges } from '#contract/limits.ts'
import { bulkDelete, deleteMedia, getMedia, moveFiles, renameMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { deletedIds, restoreFiles } from '#contract/trash.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines } from '../../test/library.ts'

const gone = 999_999_999

onBothEngines('a file', library => {
  test('can be fetched alone, with what its camera wrote into it', async () => {
    const ben = await memberOf(library())
    const metadata = { make: 'Nikon', model: 'D90', iso: 200 }
    const { id } = await uploadFile(ben, { name: 'alone.jpg', metadata })
    const file = await untilPrepared(ben, id)
    expect(file).toMatchObject({ id, camera: 'Nikon D90', metadata: { iso: 200, make: 'Nikon' } })
    await expect(ben.call(getMedia, { params: { id: gone } })).rejects.toMatchObject({ status: 404 })
  })

  test('takes another name, by which it is found and sorted from then on', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const file = await uploadFile(ben, { name: 'IMG_0001.JPG' })
    const renamed = await rose.call(renameMedia, { params: { id: file.id }, body: { newName: '  Großmutter 1.jpg ' } })
    expect(renamed).toMatchObject({ id: file.id, original_name: 'Großmutter 1.jpg' })
    // The storage key never changes, only the file name of the download.
    expect(new URL(renamed.download_url, library().url).pathname).toBe(
      new URL(file.download_url, library().url).pathname,
    )
    const found = async (search: string) => (await ben.call(listMedia, { query: { search } })).files.map(({ id }) => id)
    expect(await found('GROSSMUTTER')).toEqual([file.id])
    expect(await found('IMG_0001')).toEqual([])
    await untilPrepared(ben, file.id)
    expect(await found('grossmutter 1')).toEqual([file.id])
  })

  test('keeps a name that it got while it was being prepared', async () => {
    const ben = await memberOf(library())
    const { id } = await uploadFile(ben, { name: 'before.jpg' })
    await ben.call(renameMedia, { params: { id }, body: { newName: 'afterwards.jpg' } })
    await untilPrepared(ben, id)
    const { files } = await ben.call(listMedia, { query: { search: 'afterwards' } })
    expect(files).toMatchObject([{ id, original_name: 'afterwards.jpg', status: 'ready' }])
  })

  test('keeps its extension when the new name has none', async () => {
    const ben = await memberOf(library())
    const { id } = await uploadFile(ben, { name: 'IMG_0002.JPG' })
    const rename = (newName: string, expected?: string) =>
      ben.call(renameMedia, { params: { id }, body: expected === undefined ? { newName } : { newName, expected } })
    const renamed = await rename('Grandma')
    expect(renamed.original_name).toBe('Grandma.JPG')
    const saved = await library().anyone.fetch(renamed.download_url)
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="Grandma.JPG"')
    await saved.body?.cancel()
    // Its bytes are a JPEG, whatever it is called.
    expect((await rename('photo.png')).original_name).toBe('photo.JPG')
    expect((await rename('.hidden')).original_name).toBe('.hidden.JPG')
    await expect(rename('n'.repeat(252))).rejects.toMatchObject({ status: 422 })
    expect((await rename('n'.repeat(251))).original_name).toHaveLength(255)
  })

  test('gets its name back by an undo, unless somebody has renamed it since', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const { id } = await uploadFile(ben, { name: 'DSC00042' })
    await ben.call(renameMedia, { params: { id }, body: { newName: 'Boat.jpg' } })
    const undo = { params: { id }, body: { newName: 'DSC00042', expected: 'Boat.jpg' } }
    expect(await ben.call(renameMedia, undo)).toMatchObject({ original_name: 'DSC00042' })
    await rose.call(renameMedia, { params: { id }, body: { newName: 'Ship.jpg' } })
    await expect(ben.call(renameMedia, undo)).rejects.toMatchObject({ status: 409, message: /Ship\.jpg/ })
    expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ original_name: 'Ship.jpg' })
  })

  test('rejects empty, long and malformed names', async () => {
    const ben = await memberOf(library())
    const { id } = await uploadFile(ben, { name: 'stays.jpg' })
    const rename = (newName: unknown) =>
      ben.fetch(`/api/media/${id}/rename`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ newName }),
      })
    expect((await rename('   ')).status).toBe(422)
    expect((await rename('n'.repeat(256))).status).toBe(422)
    expect((await rename('a\0b')).status).toBe(400)
    expect((await rename(5)).status).toBe(400)
    expect((await rename(undefined)).status).toBe(400)
    expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ original_name: 'stays.jpg' })
    await expect(ben.call(renameMedia, { params: { id: gone }, body: { newName: 'x' } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('that is deleted leaves every list and count at once, and is gone for everyone', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const before = await ben.call(listMedia, { query: {} })
    const { id } = await uploadFile(ben, { name: 'doomed.jpg' })
    await rose.call(deleteMedia, { params: { id } })
    const after = await ben.call(listMedia, { query: {} })
    expect(after.stats).toEqual(before.stats)
    expect(after.count).toBe(before.count)
    expect((await ben.call(listMedia, { query: { search: 'doomed' } })).files).toEqual([])
    const notFound = { status: 404, code: 'not_found' }
    await expect(ben.call(getMedia, { params: { id } })).rejects.toMatchObject(notFound)
    await expect(ben.call(deleteMedia, { params: { id } })).rejects.toMatchObject(notFound)
    await expect(ben.call(renameMedia, { params: { id }, body: { newName: 'x' } })).rejects.toMatchObject(notFound)
    for (const part of ['file', 'thumbnail']) expect((await ben.fetch(`/api/media/${id}/${part}`)).status).toBe(404)
  })
})

onBothEngines('many files', library => {
  test('are deleted at once; those that are gone already are passed over', async () => {
    const ben = await memberOf(library())
    const ids = await insertMedia(library(), [{ name: 'a' }, { name: 'b', size: 5 }, { name: 'c' }])
    const [a = 0, b = 0, c = 0] = ids
    expect(await ben.call(bulkDelete, { body: { fileIds: [a, b, a, gone] } })).toMatchObject({ deleted: 2 })
    expect(await ben.call(bulkDelete, { body: { fileIds: [...ids, gone] } })).toMatchObject({ deleted: 1 })
    expect(await ben.call(bulkDelete, { body: { fileIds: [c] } })).toMatchObject({ deleted: 0 })
    expect(await ben.call(listMedia, { query: {} })).toMatchObject({ count: 0, stats: { total: 0, totalSize: 0 } })
  })

  test('are moved at once, into a folder and out of it', async () => {
    const ben = await memberOf(library())
    const folder = await ben.call(createFolder, { body: { name: 'Moved' } })
    const ids = await insertMedia(library(), [
      { name: 'm1' },
      { name: 'm2', type: 'video', mime: 'video/mp4' },
      { name: 'm3' },
    ])
    const inFolder = async () => (await ben.call(listMedia, { query: { folder_id: folder.id } })).count
    const move = (fileIds: number[], folderId: number | null) => ben.call(moveFiles, { body: { fileIds, folderId } })
    expect(await move([...ids, gone], folder.id)).toMatchObject({ moved: 3, changed: 3 })
    expect(await inFolder()).toBe(3)
    expect((await ben.call(listFolders))[0]).toMatchObject({ id: folder.id, file_count: 3 })
    expect(await move(ids, folder.id)).toEqual({ moved: 3, changed: 0, change_id: null })
    expect(await move(ids.slice(0, 1), null)).toMatchObject({ moved: 1, changed: 1 })
    expect(await inFolder()).toBe(2)
    const [a = 0, b = 0] = ids
    const moveBack = { fileIds: ids, folderId: null, expectedFolderId: folder.id }
    expect(await ben.call(moveFiles, { body: moveBack })).toMatchObject({ moved: 2, changed: 2 })
    await expect(ben.call(moveFiles, { body: moveBack })).rejects.toMatchObject({ status: 409 })
    await move([b, ...ids.slice(2)], folder.id)
    expect(await ben.call(getMedia, { params: { id: a } })).toMatchObject({ folder_id: null })
    await expect(move(ids, gone)).rejects.toMatchObject({ status: 404 })
    expect(await inFolder()).toBe(2)
  })

  test.each([
    ['none', [], 422],
    ['texts', ['1'], 400],
    ['nothings', [null], 400],
    ['below one', [0], 422],
  ])('that are %s are refused', async (_, fileIds, status) => {
    const ben = await memberOf(library())
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      return (await ben.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status
    }
    expect(await post(bulkDelete.path, { fileIds })).toBe(status)
    expect(await post(moveFiles.path, { fileIds, folderId: null })).toBe(status)
  })

  test('by the thousand are moved and deleted in one call, and no more than the contract says', async () => {
    const ben = await memberOf(library())
    const folder = await ben.call(createFolder, { body: { name: 'Thousands' } })
    const ids = await insertMedia(
      library(),
      Array.from({ length: bulkChanges.files }, (_, i) => ({ name: `n${i}`, size: 1 })),
    )
    const tooMany = { body: { fileIds: [...ids, 1], folderId: folder.id } }
    await expect(ben.call(moveFiles, tooMany)).rejects.toMatchObject({
      status: 422,
      message: 'At most 2,000 files at once.',
    })
    expect(await ben.call(moveFiles, { body: { fileIds: ids, folderId: folder.id } })).toMatchObject({
      moved: bulkChanges.files,
    })
    expect(await ben.call(listMedia, { query: { folder_id: folder.id, limit: 1 } })).toMatchObject({
      count: bulkChanges.files,
    })
    expect(await ben.call(bulkDelete, { body: { fileIds: ids } })).toMatchObject({ deleted: bulkChanges.files })
    expect(await ben.call(listMedia, { query: { folder_id: folder.id } })).toMatchObject({ count: 0, files: [] })
    expect((await ben.call(deletedIds, { query: {} })).ids.slice(0, bulkChanges.files)).toEqual(ids.toReversed())
    expect(await ben.call(restoreFiles, { body: { fileIds: ids } })).toMatchObject({ restored: bulkChanges.files })
    expect(await ben.call(listMedia, { query: { folder_id: folder.id, limit: 1 } })).toMatchObject({
      count: bulkChanges.files,
    })
    const lines = await library().rows(`select action, files from audit_log join changes on changes.id = change_id
      where action in ('media.delete', 'media.restore') order by audit_log.id desc limit 2`)
    expect(lines.map(({ action, files }) => [action, Number(files)])).toEqual([
      ['media.restore', bulkChanges.files],
      ['media.delete', bulkChanges.files],
    ])
  }, 60_000)
})
