import { expect, test } from 'vitest'
import { addAlbumComment, albumCommentsByPerson, createAlbum, deleteAlbum } from '#contract/albums.ts'
import { deleteMedia } from '#contract/media.ts'
import { addNote, notesByPerson } from '#contract/notes.ts'
import { denyPerson, getPerson, revokePerson } from '#contract/people.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { onBothEngines } from '../../test/library.ts'

onBothEngines("a person's page", library => {
  test('shows who they are, also after they lost access, but nobody who was never let in', async () => {
    const [ada, viewer, member] = [await library().admin(), await library().newViewer(), await library().newMember()]
    const params = { id: await library().idOf(member.person) }
    expect(await viewer.call(getPerson, { params })).toMatchObject({ ...params, avatar_url: null, former: false })
    await ada.call(revokePerson, { params })
    expect(await viewer.call(getPerson, { params })).toMatchObject({ ...params, former: true })

    const stranger = await library().newPerson()
    await library().signIn(stranger)
    const strangers = { id: await library().idOf(stranger) }
    await expect(ada.call(getPerson, { params: strangers })).rejects.toMatchObject({ status: 404 })
    await ada.call(denyPerson, { params: strangers })
    await expect(ada.call(getPerson, { params: strangers })).rejects.toMatchObject({ status: 404 })
  })

  test('shows what they wrote, page by page, and nothing about deleted files and albums', async () => {
    const [ben, chidi] = [await library().newMember(), await library().newMember()]
    const params = { id: await library().idOf(ben.person) }
    const [lake = 0, gone = 0] = await insertMedia(library(), [{ name: 'lake.jpg' }, { name: 'gone.jpg' }])
    for (const content of ['One', 'Two', 'Three']) await ben.call(addNote, { params: { id: lake }, body: { content } })
    await ben.call(addNote, { params: { id: gone }, body: { content: 'On a deleted file' } })
    await chidi.call(addNote, { params: { id: lake }, body: { content: 'By somebody else' } })
    await chidi.call(deleteMedia, { params: { id: gone } })

    const first = await chidi.call(notesByPerson, { params, query: { limit: 2 } })
    expect(first.map(note => note.content)).toEqual(['Three', 'Two'])
    expect(first[0]).toMatchObject({ media_id: lake, media_name: 'lake.jpg' })
    const rest = await chidi.call(notesByPerson, { params, query: { limit: 2, before: first[1]?.id } })
    expect(rest.map(note => note.content)).toEqual(['One'])

    const [summer, old] = [
      await ben.call(createAlbum, { body: { title: 'Summer' } }),
      await ben.call(createAlbum, { body: { title: 'Old' } }),
    ]
    for (const { id } of [summer, old]) {
      await ben.call(addAlbumComment, { params: { id }, body: { content: 'Lovely' } })
    }
    await ben.call(deleteAlbum, { params: { id: old.id } })
    expect(await chidi.call(albumCommentsByPerson, { params, query: {} })).toMatchObject([
      { content: 'Lovely', album_id: summer.id, album_title: 'Summer' },
    ])
  })
})
