import { expect, test } from 'vitest'
import { listActivity, listActivityFiles } from '#contract/admin.ts'
import { lastChanges, undoChange } from '#contract/changes.ts'
import { changeDates } from '#contract/dates.ts'
import { createFolder, deleteFolder } from '#contract/folders.ts'
import { bulkChanges, changes as limits } from '#contract/limits.ts'
import { bulkDelete, getMedia, moveFiles, rotateMedia } from '#contract/media.ts'
import { mediaStats } from '#contract/media-list.ts'
import { addTag, removeTag, tagFiles, tagsOfFile, untagFiles } from '#contract/tags.ts'
import { restoreFiles } from '#contract/trash.ts'
import { insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'
import { purgeActivity } from './purge.ts'

const undo = (person: SignedIn, { change_id }: { change_id: number | null }) =>
  person.call(undoChange, { params: { id: change_id ?? 0 } })

onBothEngines('a change', library => {
  const insert = (count: number) =>
    insertMedia(
      library(),
      Array.from({ length: count }, (_, i) => ({ name: `${i}.jpg` })),
    )
  const folderOf = async (person: SignedIn, id: number) => (await person.call(getMedia, { params: { id } })).folder_id
  const undoable = async (person: SignedIn, id: number) =>
    (await person.call(getMedia, { params: { id } })).undoable.map(({ kind, files }) => [kind, files])

  test('of folders is undone for the files that are still there, into the folders that are still there', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const folder = async (name: string) => (await ben.call(createFolder, { body: { name } })).id
    const [first, gone, last] = [await folder('First'), await folder('Gone'), await folder('Last')]
    const ids = await insert(5)
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = ids
    const move = (person: SignedIn, fileIds: number[], folderId: number | null) =>
      person.call(moveFiles, { body: { fileIds, folderId } })
    await move(ben, [a, e], first)
    await move(ben, [b], gone)
    const moved = await move(ben, ids, last)
    await move(rose, [c], null)
    await ben.call(bulkDelete, { body: { fileIds: [d] } })
    await ben.call(deleteFolder, { params: { id: gone } })
    expect(await undoable(ben, a)).toEqual([['media.move', 3]])
    await expect(undo(rose, moved)).rejects.toMatchObject({ status: 404 })
    expect(await undo(ben, moved)).toEqual({ restored: 2 })
    expect(await Promise.all([a, b, c, e].map(id => folderOf(ben, id)))).toEqual([first, last, null, first])
    const stats = { folder_id: last }
    expect(await ben.call(mediaStats, { query: stats })).toMatchObject({ total: 1 })
    // A file that was deleted in between is undone once it is restored.
    await ben.call(restoreFiles, { body: { fileIds: [d] } })
    expect(await undo(ben, moved)).toEqual({ restored: 1 })
    await expect(undo(ben, moved)).rejects.toMatchObject({ status: 409 })
    // The one before it can be undone, too.
    expect(await undoable(ben, a)).toEqual([['media.move', 2]])
    await ben.call(deleteFolder, { params: { id: last } })
    expect(await folderOf(ben, b)).toBeNull()
  })

  test('of tags is undone with who had added them, where nobody has added or removed them since', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const ids = await insert(3)
    const [a = 0, b = 0, c = 0] = ids
    const { id: tagId } = await rose.call(addTag, { params: { id: a }, body: { tagName: 'Sea' } })
    const added = await ben.call(tagFiles, { body: { fileIds: [a, b], tagName: 'sea' } })
    const next = { fileIds: [c], tagName: 'SEA', continues: added.change_id }
    expect(await ben.call(tagFiles, { body: next })).toMatchObject({ changed: 1, change_id: added.change_id })
    const other = { fileIds: [c], tagName: 'Beach', continues: added.change_id }
    await expect(ben.call(tagFiles, { body: other })).rejects.toMatchObject({ status: 409 })
    expect(await undoable(ben, b)).toEqual([['media.tag', 2]])
    const removed = await ben.call(untagFiles, { body: { fileIds: ids, tagId } })
    expect(removed.changed).toBe(3)
    await expect(undo(ben, added)).rejects.toMatchObject({ status: 409 })
    expect(await undo(ben, removed)).toEqual({ restored: 3 })
    const [mine] = await library().rows(`select added_by from media_tags where media_id = ${a}`)
    expect(Number(mine?.added_by)).toBe(await library().idOf('rose'))
    await rose.call(removeTag, { params: { id: c, tagId } })
    expect(await undo(ben, added)).toEqual({ restored: 1 })
    const tags = (id: number) => ben.call(tagsOfFile, { params: { id } })
    expect([await tags(a), await tags(b), await tags(c)]).toMatchObject([[{ name: 'Sea' }], [], []])
  })

  test('of a rotation is undone, unless somebody has turned the photo since', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const [id = 0] = await insert(1)
    const rotate = (person: SignedIn, rotation: 0 | 90 | 180) =>
      person.call(rotateMedia, { params: { id }, body: { rotation } })
    const [first, again] = [await rotate(ben, 90), await rotate(ben, 90)]
    expect(again.change_id).toBeNull()
    const second = await rotate(rose, 180)
    await expect(undo(ben, first)).rejects.toMatchObject({ status: 409 })
    expect(await undoable(ben, id)).toEqual([])
    await undo(rose, second)
    expect(await undoable(ben, id)).toEqual([['media.rotate', 1]])
    await undo(ben, first)
    expect((await ben.call(getMedia, { params: { id } })).rotation).toBeNull()
  })

  test('of many files is one line of the activity, and its undo another with as many', async () => {
    const [ben, ada] = [await memberOf(library()), await library().admin()]
    const ids = await insert(7)
    const change = { kind: 'set', edtf: '1974' } as const
    const first = await ben.call(changeDates, { body: { fileIds: ids.slice(0, 5), change } })
    await ben.call(changeDates, { body: { fileIds: ids.slice(5), change, continues: first.change_id } })
    await undo(ben, first)
    const again = ben.call(changeDates, { body: { fileIds: ids, change, continues: first.change_id } })
    await expect(again).rejects.toMatchObject({ status: 409 })
    const [undone, changed] = await ada.call(listActivity, { query: { limit: 2 } })
    expect([undone, changed]).toMatchObject([
      { act: 'media.undo', files: 7, videos: 0, actor: { username: 'ben' }, before: { undone: 'media.date' } },
      { act: 'media.date', files: 7, videos: 0, subject_id: ids[0] },
    ])
    const [sixth = 0] = ids.slice(5)
    const lines = await ada.call(listActivity, { query: { media_id: sixth } })
    expect(lines.map(line => [line.id, line.subject_name, line.files])).toEqual([
      [undone?.id, '5.jpg', null],
      [changed?.id, '5.jpg', null],
    ])
    expect(lines[1]?.before).toMatchObject({ source: 'file' })
    const listed: (string | null)[] = []
    for (let after: number | undefined; ; ) {
      const query = { limit: 3, ...(after === undefined ? {} : { after }) }
      const page = await ada.call(listActivityFiles, { params: { id: changed?.id ?? 0 }, query })
      listed.push(...page.map(file => file.name))
      after = page.at(-1)?.id
      if (after === undefined) break
    }
    expect(listed).toEqual(ids.map((_, i) => `${i}.jpg`))
  })

  test('of more than 1,000 files is not counted for the details of one, and one of fewer is', async () => {
    const ben = await memberOf(library())
    const ids = await insert(limits.countedFiles + 1)
    const folder = await ben.call(createFolder, { body: { name: 'Large' } })
    await ben.call(moveFiles, { body: { fileIds: ids, folderId: folder.id } })
    const [last = 0, ...others] = ids
    await ben.call(moveFiles, { body: { fileIds: others, folderId: null } })
    expect(await undoable(ben, last)).toEqual([['media.move', 1_001]])
    expect(await undoable(ben, others[0] ?? 0)).toEqual([['media.move', 1_000]])
  })

  test('is among the last ones of its author until it is undone or nothing of it is left', async () => {
    const [ben, rose] = [await library().newMember(), await library().newMember()]
    const [a = 0, b = 0, c = 0] = await insert(3)
    const last = async (person: SignedIn) =>
      (await person.call(lastChanges, {})).map(({ kind, files, name, tag }) => [kind, files, name, tag])
    const change = { kind: 'set', edtf: '1974' } as const
    const dates = await ben.call(changeDates, { body: { fileIds: [a, b, c], change } })
    await ben.call(addTag, { params: { id: a }, body: { tagName: 'Last' } })
    await ben.call(bulkDelete, { body: { fileIds: [c] } })
    expect(await last(ben)).toEqual([
      ['media.tag', 1, '0.jpg', 'Last'],
      ['media.date', 2, null, undefined],
    ])
    expect(await last(rose)).toEqual([])
    // Somebody else has changed one of the files since.
    await rose.call(changeDates, { body: { fileIds: [a], change: { kind: 'set', edtf: '1975' } } })
    expect(await last(ben)).toContainEqual(['media.date', 1, '1.jpg', undefined])
    await undo(ben, dates)
    expect(await last(ben)).toEqual([['media.tag', 1, '0.jpg', 'Last']])
    for (let i = 0; i < 12; i++) await ben.call(addTag, { params: { id: b }, body: { tagName: `Tag ${i}` } })
    expect((await last(ben)).map(([, , , tag]) => tag)).toEqual(Array.from({ length: 10 }, (_, i) => `Tag ${11 - i}`))
  })

  test('that deletes or restores files in several calls is one line of the activity', async () => {
    const [ben, ada] = [await memberOf(library()), await library().admin()]
    const [a = 0, b = 0, c = 0] = await insert(3)
    const { change_id } = await ben.call(bulkDelete, { body: { fileIds: [a, b] } })
    await ben.call(bulkDelete, { body: { fileIds: [c], continues: change_id } })
    const restored = await ben.call(restoreFiles, { body: { fileIds: [a] } })
    await ben.call(restoreFiles, { body: { fileIds: [b, c], continues: restored.change_id } })
    const lines = await ada.call(listActivity, { query: { limit: 2 } })
    expect(lines).toMatchObject([
      { act: 'media.restore', files: 3, subject_id: a },
      { act: 'media.delete', files: 3, subject_id: a },
    ])
  })

  test('is forgotten with its line when it is old, unless a newer line is about it', async () => {
    const [ben, ada] = [await memberOf(library()), await library().admin()]
    const [a = 0, b = 0] = await insert(2)
    const change = { kind: 'set', edtf: '1974' } as const
    const forgotten = await ben.call(changeDates, { body: { fileIds: [a], change } })
    const undone = await ben.call(changeDates, { body: { fileIds: [b], change } })
    await library().rows(`insert into audit_log (created_at, action, subject_type, subject_id)
      values (${library().now()}, 'media.purge', 'media', 123456)`)
    const before = library().now() + 1
    library().pass(1_000)
    await undo(ben, undone)
    await withDatabase(library(), db => purgeActivity(db, before))
    const lines = async (id: number) =>
      (await ada.call(listActivity, { query: { media_id: id } })).map(({ act }) => act)
    expect([await lines(a), await lines(b), await lines(123_456)]).toEqual([[], ['media.undo'], ['media.purge']])
    await expect(undo(ben, forgotten)).rejects.toMatchObject({ status: 404 })
    expect(await undoable(ben, a)).toEqual([])
    const left = await library().rows(`select media_id from change_files where media_id in (${a}, ${b})`)
    expect(left.map(row => Number(row.media_id))).toEqual([b])
  })

  test('is undone for all of its files, of however many calls it was made', async () => {
    const ben = await memberOf(library())
    const { id: folderId } = await ben.call(createFolder, { body: { name: 'Many' } })
    const ids = await insert(bulkChanges.files + 10)
    const [some, others] = [ids.slice(0, bulkChanges.files), ids.slice(bulkChanges.files)]
    const { change_id } = await ben.call(moveFiles, { body: { fileIds: some, folderId } })
    await ben.call(moveFiles, { body: { fileIds: others, folderId, continues: change_id } })
    // Some of them twice: they keep what they were before.
    await ben.call(moveFiles, { body: { fileIds: others, folderId, continues: change_id } })
    expect(await undo(ben, { change_id })).toEqual({ restored: ids.length })
    expect(await ben.call(mediaStats, { query: { folder_id: folderId } })).toMatchObject({ total: 0 })
  })
})
