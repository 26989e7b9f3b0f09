import { expect, test } from 'vitest'
import {
  addAlbumComment,
  createAlbum,
  deleteAlbum,
  deleteAlbumComment,
  listAlbumComments,
  restoreAlbumComment,
  updateAlbumComment,
} from '#contract/albums.ts'
import { deleteNote } from '#contract/notes.ts'
import { listNotifications } from '#contract/notifications.ts'
import { giveRole } from '#contract/people.ts'
import { family, newest, notificationsDuring } from '../../test/fixtures/notifications.ts'
import { onBothEngines } from '../../test/library.ts'

const refused = (status: number) => expect.objectContaining({ status })

onBothEngines('a comment on an album', library => {
  test('that a browser sends twice is one', async () => {
    const { ben, rose } = await family(library())
    const { id } = await ben.call(createAlbum, { body: { title: 'Sent twice' } })
    const add = (content: string) =>
      rose.call(addAlbumComment, { params: { id }, body: { content, client_id: 'key-of-comment' } })
    const [first, second] = [await add('Lovely'), await add('Lovely')]
    expect(second).toEqual(first)
    expect(await ben.call(listAlbumComments, { params: { id }, query: {} })).toEqual([first])
    await ben.call(deleteAlbum, { params: { id } })
    await expect(add('Lovely')).rejects.toEqual(refused(404))
  })

  test('notifies who made the album and who is mentioned, is changed by its author, and undone', async () => {
    const people = await family(library())
    const { ada, ben, rose } = people
    const { id } = await ben.call(createAlbum, { body: { title: 'Our summer' } })
    const write = (content: string) => rose.call(addAlbumComment, { params: { id }, body: { content } })
    expect(await notificationsDuring(people, () => write('Lovely, @ada.'))).toEqual({
      ada: ['mention: Grandma Rose mentioned you in a comment on an album'],
      ben: ['comment: Grandma Rose wrote a comment on your album'],
    })
    expect(await newest(ben)).toMatchObject({
      message: 'Our summer: “Lovely, @ada.”',
      target: { kind: 'album', album_id: id, comment_id: expect.any(Number) },
    })
    const list = async () => await ben.call(listAlbumComments, { params: { id }, query: {} })
    const [comment] = await list()
    expect(comment).toMatchObject({ content: 'Lovely, @ada.', username: 'rose', edited_at: null })
    const params = { id: comment?.id ?? 0 }
    await expect(ben.call(updateAlbumComment, { params, body: { content: 'Mine' } })).rejects.toEqual(refused(403))
    const edit = { content: 'Lovely!', expected: 'Lovely, @ada.' }
    expect(await rose.call(updateAlbumComment, { params, body: edit })).toMatchObject({ content: 'Lovely!' })
    // It is not a note on a file, whatever its id.
    await expect(rose.call(deleteNote, { params })).rejects.toEqual(refused(404))
    await expect(rose.call(updateAlbumComment, { params, body: edit })).rejects.toEqual(refused(409))

    // Who made the album may delete what others write there; the author takes that back.
    const { id: bens } = await ben.call(addAlbumComment, { params: { id }, body: { content: 'Thank you' } })
    await expect(rose.call(deleteAlbumComment, { params: { id: bens } })).rejects.toEqual(refused(403))
    await ben.call(deleteAlbumComment, { params })
    expect((await list()).map(({ content }) => content)).toEqual(['Thank you'])
    await expect(rose.call(updateAlbumComment, { params, body: { content: 'x' } })).rejects.toEqual(refused(404))
    expect(await rose.call(restoreAlbumComment, { params })).toMatchObject({ content: 'Lovely!' })
    await expect(rose.call(restoreAlbumComment, { params })).rejects.toEqual(refused(404))
    expect((await list()).map(({ content }) => content)).toEqual(['Lovely!', 'Thank you'])
    const page = async (query: object) =>
      (await ben.call(listAlbumComments, { params: { id }, query })).map(({ content }) => content)
    expect(await page({ limit: 1 })).toEqual(['Thank you'])
    expect(await page({ before: bens })).toEqual(['Lovely!'])

    // As a viewer he no longer decides about what others write.
    const role = { params: { id: await library().idOf(ben.person) } }
    await ada.call(giveRole, { ...role, body: { role: 'viewer' } })
    await expect(ben.call(deleteAlbumComment, { params })).rejects.toEqual(refused(403))
    await ada.call(giveRole, { ...role, body: { role: 'member' } })

    await ben.call(deleteAlbum, { params: { id } })
    await expect(list()).rejects.toEqual(refused(404))
    const [notification] = await ada.call(listNotifications, { query: { limit: 1 } })
    expect(notification).toMatchObject({ message: 'The album has been deleted since.', target: null })
  })
})
