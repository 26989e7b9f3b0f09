import { expect, test } from 'vitest'
import { addAlbumComment, createAlbum, deleteAlbum } from '#contract/albums.ts'
import { listFamily } from '#contract/family.ts'
import { heartFile } from '#contract/hearts.ts'
import { deleteMedia } from '#contract/media.ts'
import { addNote } from '#contract/notes.ts'
import { revokePerson } from '#contract/people.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { onBothEngines } from '../../test/library.ts'

onBothEngines('the page of people', library => {
  test('shows what everybody added, loves and wrote, without what was deleted', async () => {
    const [ben, viewer, ada] = [
      await library().newMember({ name: 'Ben' }),
      await library().newViewer(),
      await library().admin(),
    ]
    const by = await library().idOf(ben.person)
    const names = ['a', 'b', 'c', 'd', 'e', 'gone']
    const ids = await insertMedia(
      library(),
      names.map((name, i) => ({ name: `${name}.jpg`, by, date: Date.UTC(2000 + i, 0) })),
    )
    const [a = 0, b = 0, c = 0, d = 0, e = 0, gone = 0] = ids
    for (const id of [a, gone]) await viewer.call(heartFile, { params: { id } })
    for (const id of [b, gone]) await viewer.call(addNote, { params: { id }, body: { content: 'Nice' } })
    const albums = [
      await ben.call(createAlbum, { body: { title: 'Kept' } }),
      await ben.call(createAlbum, { body: { title: 'Deleted' } }),
    ]
    for (const { id } of albums) await viewer.call(addAlbumComment, { params: { id }, body: { content: 'Lovely' } })
    await ben.call(deleteAlbum, { params: { id: albums[1]?.id ?? 0 } })
    await ben.call(deleteMedia, { params: { id: gone } })

    const member = async (id: number) => (await viewer.call(listFamily)).members.find(found => found.id === id)
    const found = await member(by)
    expect(found).toMatchObject({ name: 'Ben', former: false, added: 5, loved: 0, written: 0, avatar_url: null })
    expect(found?.recent.map(({ media_id }) => media_id)).toEqual([e, d, c])
    expect(await member(await library().idOf(viewer.person))).toMatchObject({
      ...{ added: 0, loved: 1, written: 2, recent: [] },
    })

    // Those who left nothing are not listed any more; the photos of the others are still there.
    const leaver = await library().newMember({ name: 'Aaron' })
    const params = { id: await library().idOf(leaver.person) }
    expect(await member(params.id)).toBeDefined()
    await ada.call(revokePerson, { params })
    expect(await member(params.id)).toBeUndefined()
    await ada.call(revokePerson, { params: { id: by } })
    const { members } = await viewer.call(listFamily)
    expect(members.at(-1)).toMatchObject({ id: by, former: true, added: 5 })
  })

  test('lists nobody who was never let in, and names in their order', async () => {
    const viewer = await library().newViewer()
    const stranger = await library().newPerson()
    await library().signIn(stranger)
    for (const name of ['Zoë', 'émile', 'Frank']) await library().newMember({ name })
    const { members } = await viewer.call(listFamily)
    expect(members.map(({ id }) => id)).not.toContain(await library().idOf(stranger))
    const names = members.filter(({ former }) => !former).map(({ name }) => name)
    expect(names.filter(name => ['Zoë', 'émile', 'Frank'].includes(name))).toEqual(['émile', 'Frank', 'Zoë'])
  })
})
