import { expect, test } from 'vitest'
import { bulkChanges } from '#contract/limits.ts'
import { bulkDelete, deleteMedia, getMedia } from '#contract/media.ts'
import { listNotifications } from '#contract/notifications.ts'
import { giveRole } from '#contract/people.ts'
import { changeMySettings } from '#contract/settings.ts'
import { deletedIds, listDeleted, restoreFiles } from '#contract/trash.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { type Library, onBothEngines, type SignedIn } from '../../test/library.ts'

const HOUR = 3_600_000

async function filesOf(library: Library, person: SignedIn, count: number, type: 'image' | 'video' = 'image') {
  const by = await library.idOf(person.person)
  const names = Array.from({ length: count }, (_, i) => ({ name: `${i}.jpg`, type, by }))
  return insertMedia(library, names)
}

const bulk = (person: SignedIn, fileIds: readonly number[], continues?: number | null) =>
  person.call(bulkDelete, { body: { fileIds: [...fileIds], continues } })

async function titles(person: SignedIn): Promise<string[]> {
  const all = await person.call(listNotifications, { query: {} })
  return all.filter(({ message }) => message.includes('Recently deleted')).map(({ title }) => title)
}

onBothEngines('deleting files of somebody else', library => {
  const newMember = (name: string) => library().newMember({ name })

  test('notifies the uploader once for all of them, and nobody of their own', async () => {
    const [rose, kofi, ben] = [await newMember('Rose'), await newMember('Kofi'), await newMember('Ben')]
    const [roses, bens] = [await filesOf(library(), rose, 12), await filesOf(library(), ben, 1, 'video')]
    const own = await filesOf(library(), kofi, 2)
    await bulk(kofi, [...roses.slice(0, 9), ...bens, ...own])
    library().pass(1_000)
    for (const id of roses.slice(9)) await kofi.call(deleteMedia, { params: { id } })
    expect(await titles(rose)).toEqual(['Kofi deleted 12 of your photos'])
    expect(await titles(ben)).toEqual(['Kofi deleted a video of yours'])
    expect(await titles(kofi)).toEqual([])
    const [sent] = await rose.call(listNotifications, { query: {} })
    expect(sent).toMatchObject({ type: 'other', read: false, target: { kind: 'recently-deleted' } })
  })

  test('can be undone by the uploader, who sees those files and no others', async () => {
    const [rose, kofi, ben] = [await newMember('Rose'), await newMember('Kofi'), await newMember('Ben')]
    const ids = await filesOf(library(), rose, 3)
    const [first = 0, second = 0, third = 0] = ids
    await bulk(rose, [third])
    await bulk(kofi, [first, second, ...(await filesOf(library(), kofi, 1))])
    const seen = async (person: SignedIn, whose?: 'own') =>
      (await person.call(deletedIds, { query: whose ? { whose } : {} })).ids.toSorted((a, b) => a - b)
    expect(await seen(rose)).toEqual(ids)
    expect(await seen(rose, 'own')).toEqual([first, second])
    expect((await rose.call(listDeleted, { query: { whose: 'own' } })).map(({ id }) => id)).toEqual([second, first])
    expect(await seen(ben)).toEqual([])
    await expect(ben.call(restoreFiles, { body: { fileIds: [first] } })).rejects.toMatchObject({ status: 404 })
    expect(await rose.call(restoreFiles, { body: { fileIds: [first] } })).toMatchObject({ restored: 1 })
    expect(await rose.call(getMedia, { params: { id: first } })).toMatchObject({ id: first })
    expect(await titles(rose)).toEqual(['Kofi deleted a photo of yours'])
  })

  test('leaves no notification if it is undone before the uploader has read it', async () => {
    const [rose, kofi] = [await newMember('Rose'), await newMember('Kofi')]
    const ids = await filesOf(library(), rose, 2)
    await bulk(kofi, ids)
    await kofi.call(restoreFiles, { body: { fileIds: ids } })
    const about = async () => (await rose.call(listNotifications, { query: {} })).map(({ title }) => title)
    expect(await about()).not.toContainEqual(expect.stringContaining('deleted'))
    // One that was read stays, and opens nothing any more.
    await bulk(kofi, ids)
    const [sent] = await rose.call(listNotifications, { query: {} })
    await rose.fetch(`/api/notifications/${sent?.id}/read`, { method: 'PATCH' })
    await kofi.call(restoreFiles, { body: { fileIds: ids } })
    const [read] = await rose.call(listNotifications, { query: {} })
    expect(read).toMatchObject({ id: sent?.id, title: 'Kofi deleted photos of yours', target: null })
  })

  test('begins another notification after a while, and for each person', async () => {
    const [rose, kofi, ben] = [await newMember('Rose'), await newMember('Kofi'), await newMember('Ben')]
    const [a = 0, b = 0, c = 0] = await filesOf(library(), rose, 3)
    await bulk(kofi, [a])
    library().pass(2 * HOUR)
    await bulk(await library().signInAs(kofi.person), [b])
    await bulk(await library().signInAs(ben.person), [c])
    expect(await titles(await library().signInAs(rose.person))).toEqual([
      'Ben deleted a photo of yours',
      'Kofi deleted a photo of yours',
      'Kofi deleted a photo of yours',
    ])
  })

  test('is not said to those who have switched it off', async () => {
    const [rose, kofi] = [await newMember('Rose'), await newMember('Kofi')]
    await rose.call(changeMySettings, { body: { muted: ['deleted'] } })
    const ids = await filesOf(library(), rose, 1)
    await bulk(kofi, ids)
    expect(await titles(rose)).toEqual([])
    expect(await rose.call(restoreFiles, { body: { fileIds: ids } })).toMatchObject({ restored: 1 })
  })

  test('is said to one who is a viewer by now, and who may restore what they uploaded', async () => {
    const [rose, kofi] = [await newMember('Rose'), await newMember('Kofi')]
    const [id = 0] = await filesOf(library(), rose, 1)
    const deletedBefore = await filesOf(library(), kofi, 1)
    await bulk(rose, deletedBefore)
    const ada = await library().admin()
    await ada.call(giveRole, { params: { id: await library().idOf(rose.person) }, body: { role: 'viewer' } })
    await bulk(kofi, [id])
    expect(await titles(rose)).toEqual(['Kofi deleted a photo of yours'])
    const others = await filesOf(library(), kofi, 1)
    await bulk(kofi, others)
    expect((await rose.call(listDeleted, { query: {} })).map(file => file.id)).toEqual([id])
    for (const fileIds of [others, deletedBefore]) {
      await expect(rose.call(restoreFiles, { body: { fileIds } })).rejects.toMatchObject({ status: 404 })
    }
    expect(await rose.call(restoreFiles, { body: { fileIds: [id] } })).toMatchObject({ restored: 1 })
  })

  test('of 10,000 files in several calls is one notification', async () => {
    const [rose, kofi] = [await newMember('Rose'), await newMember('Kofi')]
    const ids = await filesOf(library(), rose, 10_000)
    let continues: number | null = null
    for (let start = 0; start < ids.length; start += bulkChanges.files) {
      const answer = await bulk(kofi, ids.slice(start, start + bulkChanges.files), continues)
      continues = answer.change_id
    }
    expect(await titles(rose)).toEqual(['Kofi deleted 10,000 of your photos'])
    const [first = 0] = ids
    await rose.call(restoreFiles, { body: { fileIds: [first] } })
    expect(await titles(rose)).toEqual(['Kofi deleted 9,999 of your photos'])
  }, 60_000)
})
