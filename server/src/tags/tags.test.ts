import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { undoChange } from '#contract/changes.ts'
import { deleteMedia, renameMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { addTag, listTags, removeTag, tagFiles, tagsOfFile } from '#contract/tags.ts'
import { insertMedia, learnOf } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { anotherServersDatabase, type Library, onBothEngines, type SignedIn } from '../../test/library.ts'
import { addTag as addTagIn } from './tags.ts'

const gone = 999_999_999

async function newFile(library: Library, name = 'photo.jpg'): Promise<number> {
  const [id = 0] = await insertMedia(library, [{ name }])
  return id
}

async function put(person: SignedIn, id: number, ...names: string[]) {
  for (const tagName of names) await person.call(addTag, { params: { id }, body: { tagName } })
}

async function tagNames(person: SignedIn, id: number): Promise<string[]> {
  return (await person.call(tagsOfFile, { params: { id } })).map(tag => tag.name)
}

async function found(person: SignedIn, search: string): Promise<number[]> {
  return (await person.call(listMedia, { query: { search } })).files.map(file => file.id)
}

onBothEngines('tags', library => {
  test('are put on a file, listed by their names and taken off again', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await newFile(library())
    expect(await tagNames(ben, id)).toEqual([])
    await put(ben, id, 'Summer', 'Beach')
    const beach = await rose.call(addTag, { params: { id }, body: { tagName: '  Grandma’s   garden \n' } })
    expect(beach).toMatchObject({ id: expect.any(Number), name: 'Grandma’s garden', added: true })
    const again = await ben.call(addTag, { params: { id }, body: { tagName: 'grandma’s garden' } })
    expect(again).toEqual({ ...beach, added: false, change_id: null })
    expect(await tagNames(rose, id)).toEqual(['Beach', 'Grandma’s garden', 'Summer'])
    await rose.call(removeTag, { params: { id, tagId: beach.id } })
    expect(await tagNames(ben, id)).toEqual(['Beach', 'Summer'])
    await expect(rose.call(removeTag, { params: { id, tagId: beach.id } })).rejects.toMatchObject({ status: 404 })
  })

  test('are one per name whatever its case', async () => {
    const ben = await memberOf(library())
    const [one, other] = [await newFile(library()), await newFile(library())]
    const [first, second] = [
      await ben.call(addTag, { params: { id: one }, body: { tagName: 'Straße' } }),
      await ben.call(addTag, { params: { id: other }, body: { tagName: 'STRASSE' } }),
    ]
    expect([second.id, second.name]).toEqual([first.id, first.name])
    await put(ben, one, 'straße', 'STRAßE')
    expect(await tagNames(ben, one)).toEqual(['Straße'])
    // Accents make a different tag; their Unicode encoding does not.
    await put(ben, one, 'Zoe', 'Zoë', 'Zoe\u0308', 'ZOË')
    expect(await tagNames(ben, one)).toEqual(['Straße', 'Zoe', 'Zoë'])
  })

  test('that no file has any more take the spelling of the next person who uses them', async () => {
    const ben = await memberOf(library())
    const id = await newFile(library())
    const misspelled = await ben.call(addTag, { params: { id }, body: { tagName: 'iceLAND' } })
    await ben.call(removeTag, { params: { id, tagId: misspelled.id } })
    expect(await ben.call(addTag, { params: { id }, body: { tagName: 'Iceland' } })).toMatchObject({
      id: misspelled.id,
      name: 'Iceland',
      added: true,
    })
  })

  test('are found by the search, from the moment they are put on until they are taken off', async () => {
    const ben = await memberOf(library())
    const [id, other] = [await newFile(library(), 'one.jpg'), await newFile(library(), 'two.jpg')]
    const tag = await ben.call(addTag, { params: { id }, body: { tagName: 'Übernachtung' } })
    expect(await found(ben, 'ubernacht')).toEqual([id])
    await ben.call(tagFiles, { body: { fileIds: [id, other], tagName: 'ÜBERNACHTUNG' } })
    expect((await found(ben, 'ubernacht')).toSorted()).toEqual([id, other].toSorted())
    // Rewriting the search text of the file keeps its tags searchable.
    await ben.call(renameMedia, { params: { id }, body: { newName: 'renamed.jpg' } })
    await learnOf(library(), other, { location: 'Bern', camera: null })
    expect((await found(ben, 'ubernacht')).toSorted()).toEqual([id, other].toSorted())
    await ben.call(removeTag, { params: { id, tagId: tag.id } })
    expect(await found(ben, 'ubernacht')).toEqual([other])
    expect(await found(ben, 'renamed')).toEqual([id])
  })

  test('are put on many files at once, those that are gone passed over', async () => {
    const ben = await memberOf(library())
    const ids = await insertMedia(
      library(),
      Array.from({ length: 450 }, (_, i) => ({ name: `many ${i}.jpg` })),
    )
    const [first = 0, second = 0] = ids
    await put(ben, first, 'Reunion', 'Before')
    await ben.call(deleteMedia, { params: { id: second } })
    const fileIds = [...ids, first, gone]
    const tagged = await ben.call(tagFiles, { body: { fileIds, tagName: 'reunion' } })
    expect(tagged).toMatchObject({ tagged: 449, changed: 448 })
    expect(await tagNames(ben, first)).toEqual(['Before', 'Reunion'])
    expect(await tagNames(ben, ids[449] ?? 0)).toEqual(['Reunion'])
    expect(await ben.call(tagFiles, { body: { fileIds: [gone], tagName: 'Unheard of' } })).toMatchObject({ tagged: 0 })
    const all = await ben.call(listTags)
    expect(all.find(tag => tag.name === 'Reunion')).toMatchObject({ file_count: 449 })
    expect(all.map(tag => tag.name)).not.toContain('Unheard of')

    // An undo takes it only from the files that did not have it before.
    const undo = { params: { id: tagged.change_id ?? 0 } }
    expect(await ben.call(undoChange, undo)).toEqual({ restored: 448 })
    await expect(ben.call(undoChange, undo)).rejects.toMatchObject({ status: 409 })
    expect(await tagNames(ben, first)).toEqual(['Before', 'Reunion'])
    expect(await tagNames(ben, ids[449] ?? 0)).toEqual([])
  })

  test('are suggested the most used first, by files that are there', async () => {
    const ben = await memberOf(library())
    const ids = await insertMedia(library(), [{ name: 'a.jpg' }, { name: 'b.jpg' }, { name: 'c.jpg' }])
    const [a = 0, b = 0, c = 0] = ids
    await put(ben, a, 'rare x', 'common x', 'middling x')
    await put(ben, b, 'common x', 'middling x')
    await put(ben, c, 'common x', 'on a deleted file x')
    const ours = async () => {
      const tags = await ben.call(listTags)
      return tags.filter(tag => tag.name.endsWith(' x')).map(tag => [tag.name, tag.file_count])
    }
    expect(await ours()).toEqual([
      ['common x', 3],
      ['middling x', 2],
      ['on a deleted file x', 1],
      ['rare x', 1],
    ])
    await ben.call(deleteMedia, { params: { id: c } })
    expect(await ours()).toEqual([
      ['common x', 2],
      ['middling x', 2],
      ['rare x', 1],
    ])
  })

  test('of a file that is gone are gone', async () => {
    const ben = await memberOf(library())
    const id = await newFile(library())
    const tag = await ben.call(addTag, { params: { id }, body: { tagName: 'Left' } })
    await ben.call(deleteMedia, { params: { id } })
    for (const call of [
      () => ben.call(tagsOfFile, { params: { id } }),
      () => ben.call(addTag, { params: { id }, body: { tagName: 'Late' } }),
      () => ben.call(removeTag, { params: { id, tagId: tag.id } }),
      () => ben.call(tagsOfFile, { params: { id: gone } }),
      () => ben.call(addTag, { params: { id: gone }, body: { tagName: 'Late' } }),
      () => ben.call(removeTag, { params: { id: gone, tagId: tag.id } }),
    ]) {
      await expect(call()).rejects.toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('take no name that is none, is too long or is no text', async () => {
    const ben = await memberOf(library())
    const id = await newFile(library())
    const send = async (body: unknown, path = `/api/tags/media/${id}`) => {
      const headers = { 'content-type': 'application/json' }
      return (await ben.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status
    }
    for (const tagName of ['', '  \n ', '\u200b\u200d', 'x'.repeat(51)]) {
      expect([tagName, await send({ tagName })]).toEqual([tagName, 422])
      expect([tagName, await send({ tagName, fileIds: [id] }, '/api/tags/media')]).toEqual([tagName, 422])
    }
    for (const tagName of [5, null, undefined, ['x'], 'a\0b']) expect(await send({ tagName })).toBe(400)
    expect(await send({ tagName: 'x', fileIds: [] }, '/api/tags/media')).toBe(422)
    expect(await send({ tagName: 'x', fileIds: ['1'] }, '/api/tags/media')).toBe(400)
    for (const odd of ['x'.repeat(50), '👩‍👩‍👧‍👦', '50%_\\', "'; drop table tags; --", '<b>', '東京', 'half \ud83c']) {
      expect([odd, await send({ tagName: odd })]).toEqual([odd, 201])
      expect([odd, await send({ tagName: odd })]).toEqual([odd, 201])
    }
    expect(await tagNames(ben, id)).toHaveLength(7)
    expect(await found(ben, '50%_\\')).toEqual([id])
  })

  test('leave a line with what was there, when something changed and only then', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const id = await newFile(library())
    await put(ben, id, 'One', 'Two', 'two')
    const tags = await ada.call(tagsOfFile, { params: { id } })
    const one = tags.find(tag => tag.name === 'One')
    await ada.call(removeTag, { params: { id, tagId: one?.id ?? 0 } })
    const lines = await ada.call(listActivity, { query: { media_id: id } })
    expect(lines.map(line => [line.actor?.username, line.act, line.before]).toReversed()).toEqual([
      ['ben', 'media.tag', { tag: 'One' }],
      ['ben', 'media.tag', { tag: 'Two' }],
      ['ada', 'media.untag', { tag: 'One', added_at: expect.any(Number), added_by: await library().idOf('ben') }],
    ])
  })

  test('of two people at the same moment are all there, and found', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const ids = await insertMedia(library(), [{ name: 'left.jpg' }, { name: 'right.jpg' }])
    const [left = 0, right = 0] = ids
    const names = Array.from({ length: 6 }, (_, i) => `Moment ${i}`)
    await Promise.all(
      names.flatMap(tagName => [
        ben.call(addTag, { params: { id: left }, body: { tagName } }),
        rose.call(addTag, { params: { id: left }, body: { tagName: tagName.toUpperCase() } }),
        rose.call(tagFiles, { body: { fileIds: [right, left], tagName } }),
        ben.call(tagFiles, { body: { fileIds: [left, right], tagName: tagName.toLowerCase() } }),
      ]),
    )
    for (const id of ids) expect((await tagNames(ben, id)).map(name => name.toLowerCase())).toHaveLength(6)
    for (const name of names) expect((await found(ben, name)).toSorted()).toEqual(ids.toSorted())
    const lines = await (await memberOf(library(), 'ada')).call(listActivity, { query: { media_id: left } })
    expect(lines).toHaveLength(6)
  })
})

onBothEngines('tags on two servers', (library, engine) => {
  test.runIf(engine === 'postgres')('neither loses the other’s word', async () => {
    const ben = await memberOf(library())
    const id = await newFile(library())
    const [db, other] = [await anotherServersDatabase(library()), await anotherServersDatabase(library())]
    const actor = await library().idOf('ben')
    const clock = () => library().now()
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        addTagIn({ db: i % 2 === 0 ? db : other, clock }, actor, id, `Word number ${i % 10} of many`),
      ),
    )
    expect(await tagNames(ben, id)).toHaveLength(10)
    for (let i = 0; i < 10; i++) expect(await found(ben, `word number ${i} of`)).toEqual([id])
  })
})
