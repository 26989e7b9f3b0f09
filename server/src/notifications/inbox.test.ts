import { beforeAll, expect, test } from 'vitest'
import { deleteMedia } from '#contract/media.ts'
import { deleteNote } from '#contract/notes.ts'
import {
  deleteNotification,
  listNotifications,
  readAllNotifications,
  readNotification,
  unreadCount,
} from '#contract/notifications.ts'
import { restoreFiles } from '#contract/trash.ts'
import { insertParts } from '#server/media/media.sql.ts'
import { insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { bensFile, type Family, family, newest, write } from '../../test/fixtures/notifications.ts'
import { onBothEngines } from '../../test/library.ts'
import { listen, untilDelivered } from '../../test/listener.ts'

const gone = 999_999_999

onBothEngines('a notification in its owner’s list', library => {
  let everybody: Family
  beforeAll(async () => {
    everybody = await family(library())
  })

  async function insertThumbnail(media_id: number): Promise<void> {
    const facts = { size: 1, mime_type: 'image/jpeg', width: null, height: null }
    await withDatabase(library(), db =>
      db.transaction(tx => insertParts(tx, [{ media_id, kind: 'thumbnail', key: 'variants/small.jpg', ...facts }])),
    )
  }

  test('of a file that is gone opens nothing and says nothing of it; of one that is back it does', async () => {
    const { ben, rose, ada } = everybody
    const id = await bensFile(library(), 'private-name.jpg')
    const note = await write(rose, id, 'private words')
    await insertThumbnail(id)
    expect(await newest(ben)).toMatchObject({ picture: { thumbnail_url: expect.stringContaining('small.jpg') } })
    await ben.call(deleteMedia, { params: { id } })
    const without = await newest(ben)
    expect(without).toMatchObject({ target: null, message: 'The file has been deleted since.', picture: null })
    expect(JSON.stringify(without)).not.toMatch(/private/)
    await ada.call(restoreFiles, { body: { fileIds: [id] } })
    expect(await newest(ben)).toMatchObject({
      message: '“private words”',
      target: { kind: 'media', media_id: id, note_id: note.id },
    })
    await rose.call(deleteNote, { params: { id: note.id } })
    expect(await newest(ben)).toMatchObject({
      message: 'The note has been deleted since.',
      target: { kind: 'media', media_id: id, note_id: null },
    })
  })

  test('is put into words when it is read: a new name is the one that shows', async () => {
    const { ben } = everybody
    const writer = await library().newMember({ name: 'Maiden Name' })
    await write(writer, await bensFile(library()), 'Hello')
    await library().rows(`update people set name = 'Married Name' where subject = '${writer.person.subject}'`)
    expect(await newest(ben)).toMatchObject({ title: 'Married Name commented on your photo' })
  })

  test('is read, counted and deleted by its owner', async () => {
    const { rose } = everybody
    const reader = await library().newMember()
    const by = await library().idOf(reader.person)
    const [id = 0] = await insertMedia(library(), [{ name: 'read.jpg', by }])
    for (const content of ['1', '2', '3']) await write(rose, id, content)
    const all = await reader.call(listNotifications, { query: {} })
    expect(all.map(({ message }) => message)).toEqual(['“3”', '“2”', '“1”', expect.stringContaining('Welcome')])
    expect(await reader.call(unreadCount)).toEqual({ count: 4 })
    const [third, second] = all.map(one => ({ id: one.id }))
    if (!third || !second) throw new Error('Three notes give three notifications')
    await reader.call(readNotification, { params: third })
    await reader.call(readNotification, { params: third })
    await reader.call(deleteNotification, { params: second })
    await expect(reader.call(deleteNotification, { params: second })).rejects.toMatchObject({ status: 404 })
    await expect(reader.call(readNotification, { params: second })).rejects.toMatchObject({ status: 404 })
    expect(await reader.call(unreadCount)).toEqual({ count: 2 })
    const left = await reader.call(listNotifications, { query: {} })
    expect(left.map(({ read }) => read)).toEqual([true, false, false])
    await reader.call(readAllNotifications)
    expect(await reader.call(unreadCount)).toEqual({ count: 0 })
  })

  test('does not exist for anybody else, admins too', async () => {
    const { ben, ada, rose } = everybody
    await write(rose, await bensFile(library()), 'For Ben')
    const { id = 0 } = (await newest(ben)) ?? {}
    for (const other of [ada, rose]) {
      await expect(other.call(readNotification, { params: { id } })).rejects.toMatchObject({ status: 404 })
      await expect(other.call(deleteNotification, { params: { id } })).rejects.toMatchObject({ status: 404 })
      await other.call(readAllNotifications)
      const theirs = await other.call(listNotifications, { query: {} })
      expect(theirs.map(one => one.id)).not.toContain(id)
    }
    expect(await newest(ben)).toMatchObject({ id, read: false })
    await expect(ben.call(readNotification, { params: { id: gone } })).rejects.toMatchObject({ status: 404 })
  })

  test('is listed newest first, page by page, while others are added and deleted', async () => {
    const { rose } = everybody
    const reader = await library().newMember()
    const by = await library().idOf(reader.person)
    const [id = 0] = await insertMedia(library(), [{ name: 'pages.jpg', by }])
    for (let i = 0; i < 7; i++) await write(rose, id, `Number ${i}`)
    const whole = await reader.call(listNotifications, { query: {} })
    const paged: number[] = []
    for (;;) {
      const before = paged.at(-1)
      const page = await reader.call(listNotifications, { query: { limit: 3, ...(before ? { before } : {}) } })
      if (page.length === 0) break
      paged.push(...page.map(one => one.id))
      await write(rose, id, 'Meanwhile')
      // The cursor must work even if the notification that it points to is deleted.
      await reader.call(deleteNotification, { params: { id: paged.at(-1) ?? 0 } })
    }
    expect(paged).toEqual(whole.map(one => one.id))
    for (const query of ['limit=0', 'limit=501', 'before=-1', 'before=x']) {
      expect([400, 422]).toContain((await reader.fetch(`/api/notifications?${query}`)).status)
    }
  })

  test('is heard of at once by the pages of its owner alone', async () => {
    const { ben, rose } = everybody
    await untilDelivered(library())
    const [bens, roses] = [await listen(ben), await listen(rose)]
    const id = await bensFile(library())
    await write(rose, id, 'Live')
    await bens.receives({ kind: 'notifications' })
    bens.forget()
    await ben.call(readAllNotifications)
    await bens.receives({ kind: 'notifications' })
    await roses.receives({ kind: 'notes', media_id: id })
    expect(roses.received).not.toContainEqual({ kind: 'notifications' })
  })
})
