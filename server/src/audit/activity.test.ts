import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { createFolder, deleteFolder, updateFolder } from '#contract/folders.ts'
import { bulkDelete, deleteMedia, moveFiles, rehashMedia, renameMedia } from '#contract/media.ts'
import { restoreFiles } from '#contract/trash.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines } from '../../test/library.ts'

onBothEngines('the activity', library => {
  test('tells who did what to a file, when, and what was there', async () => {
    const [ben, rose, ada] = [
      await memberOf(library()),
      await memberOf(library(), 'rose'),
      await memberOf(library(), 'ada'),
    ]
    const folder = await ben.call(createFolder, { body: { name: 'Album' } })
    const file = await uploadFile(ben, { name: 'one.jpg' })
    await untilPrepared(ben, file.id)
    const params = { id: file.id }
    await rose.call(renameMedia, { params, body: { newName: 'two.jpg' } })
    await ben.call(moveFiles, { body: { fileIds: [file.id], folderId: folder.id } })
    await ben.call(moveFiles, { body: { fileIds: [file.id], folderId: folder.id } })
    await rose.call(rehashMedia, { params, body: { hash: file.hash } })
    await ben.call(deleteMedia, { params })
    await ada.call(restoreFiles, { body: { fileIds: [params.id] } })
    await rose.call(bulkDelete, { body: { fileIds: [file.id] } })

    const lines = await ada.call(listActivity, { query: { media_id: file.id } })
    const shown = lines.map(line => [line.actor?.username, line.act, line.before])
    expect(shown.toReversed()).toEqual([
      ['ben', 'media.upload', null],
      ['rose', 'media.rename', { name: 'one.jpg' }],
      ['ben', 'media.move', { folder_id: null }],
      ['rose', 'media.rehash', { verified_at: null, damaged_at: null }],
      ['ben', 'media.delete', { name: 'two.jpg', folder_id: folder.id }],
      ['ada', 'media.restore', { deleted_at: expect.any(Number) }],
      ['rose', 'media.delete', { name: 'two.jpg', folder_id: folder.id }],
    ])
    for (const line of lines) {
      expect(line).toMatchObject({ subject_type: 'media', subject_id: file.id, subject_name: 'two.jpg' })
      expect(Math.abs(Date.parse(line.at) - library().now())).toBeLessThan(120_000)
    }
  })

  test('tells the same of folders', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const [folder, other] = [
      await ben.call(createFolder, { body: { name: 'First' } }),
      await ben.call(createFolder, { body: { name: 'Other' } }),
    ]
    await uploadFile(ben, { folderId: folder.id })
    const params = { id: folder.id }
    await ben.call(updateFolder, { params, body: { name: 'Second' } })
    await ben.call(updateFolder, { params, body: { parent_id: other.id } })
    await ben.call(deleteFolder, { params })
    const lines = await ada.call(listActivity, { query: {} })
    const ofFolder = lines.filter(line => line.subject_type === 'folder' && line.subject_id === folder.id)
    expect(ofFolder.map(line => [line.act, line.before]).toReversed()).toEqual([
      ['folder.create', null],
      ['folder.update', { name: 'First', parent_id: null }],
      ['folder.update', { name: 'Second', parent_id: null }],
      ['folder.delete', { name: 'Second', parent_id: other.id, files: 1 }],
    ])
  })

  test('is listed newest first, page by page, of everyone or of one person', async () => {
    const [ben, rose, ada] = [
      await memberOf(library()),
      await memberOf(library(), 'rose'),
      await memberOf(library(), 'ada'),
    ]
    for (const person of [ben, rose, ben, rose, ben]) await uploadFile(person)
    const whole = await ada.call(listActivity, { query: { limit: 500 } })
    const ids = whole.map(line => line.id)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    const paged: number[] = []
    for (;;) {
      const before = paged.at(-1)
      const page = await ada.call(listActivity, { query: { limit: 3, ...(before ? { before } : {}) } })
      if (page.length === 0) break
      paged.push(...page.map(line => line.id))
    }
    expect(paged).toEqual(ids)
    const person_id = await library().idOf('rose')
    const hers = await ada.call(listActivity, { query: { person_id, limit: 500 } })
    expect(hers.map(line => line.id)).toEqual(whole.filter(line => line.actor?.id === person_id).map(line => line.id))
    expect(hers.length).toBeGreaterThan(1)
    expect(await ada.call(listActivity, { query: { media_id: 999_999 } })).toEqual([])
  })

  test('leaves no line for what was refused', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const before = await ada.call(listActivity, { query: { limit: 1 } })
    await expect(ben.call(deleteMedia, { params: { id: 999_999 } })).rejects.toThrow()
    await expect(ben.call(moveFiles, { body: { fileIds: [1], folderId: 999_999 } })).rejects.toThrow()
    await ben.call(bulkDelete, { body: { fileIds: [999_999] } })
    expect(await ada.call(listActivity, { query: { limit: 1 } })).toEqual(before)
  })

  test('is for admins', async () => {
    const ben = await memberOf(library())
    await expect(ben.call(listActivity, { query: {} })).rejects.toMatchObject({ status: 403 })
    const ada = await memberOf(library(), 'ada')
    for (const query of ['limit=0', 'limit=501', 'before=x', 'person_id=-1', 'media_id=1.5']) {
      const response = await ada.fetch(`/api/admin/activity?${query}`)
      expect([400, 422]).toContain(response.status)
    }
  })
})
