import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { DAY } from '#contract/limits.ts'
import { deleteMedia, renameMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { addNote, deleteNote, notesOfFile, restoreNote, updateNote } from '#contract/notes.ts'
import { addTag } from '#contract/tags.ts'
import { restoreFiles } from '#contract/trash.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { family, notificationsDuring } from '../../test/fixtures/notifications.ts'
import { type Library, onBothEngines, type SignedIn } from '../../test/library.ts'
import { listen } from '../../test/listener.ts'

const gone = 999_999_999

async function newFile(library: Library, name = 'photo.jpg'): Promise<number> {
  const [id = 0] = await insertMedia(library, [{ name }])
  return id
}

function write(person: SignedIn, id: number, content: string) {
  return person.call(addNote, { params: { id }, body: { content } })
}

function edit(person: SignedIn, id: number, content: string) {
  return person.call(updateNote, { params: { id }, body: { content } })
}

async function found(person: SignedIn, search: string): Promise<number[]> {
  return (await person.call(listMedia, { query: { search } })).files.map(file => file.id)
}

onBothEngines('notes', library => {
  test('are written on a file and listed oldest first, with who wrote them and when', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await newFile(library())
    expect(await ben.call(notesOfFile, { params: { id }, query: {} })).toEqual([])
    const first = await write(ben, id, '  That was a windy day!\nRemember? ')
    expect(first).toEqual({
      id: expect.any(Number),
      content: 'That was a windy day!\nRemember?',
      username: 'ben',
      name: ben.person.name,
      created_at: expect.any(String),
      edited_at: null,
    })
    expect(Math.abs(Date.parse(first.created_at) - library().now())).toBeLessThan(60_000)
    const second = await write(rose, id, 'I do.')
    expect(second.username).toBe('rose')
    expect(await rose.call(notesOfFile, { params: { id }, query: {} })).toEqual([first, second])
  })

  test('can be changed by everybody, and the last change wins; whose they are stays', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await newFile(library())
    const note = await write(ben, id, 'First')
    library().pass(1_000)
    const changed = await edit(rose, note.id, ' Second ')
    expect(changed).toEqual({ ...note, content: 'Second', edited_at: expect.any(String) })
    expect(Date.parse(changed.edited_at ?? '')).toBeGreaterThan(Date.parse(note.created_at))
    await Promise.all([edit(ben, note.id, 'Ben was here'), edit(rose, note.id, 'Rose was here')])
    const [left] = await ben.call(notesOfFile, { params: { id }, query: {} })
    expect(['Ben was here', 'Rose was here']).toContain(left?.content)
    expect(left?.username).toBe('ben')
  })

  test('can be deleted by everybody, once', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await newFile(library())
    const note = await write(ben, id, 'Not for long')
    await rose.call(deleteNote, { params: { id: note.id } })
    expect(await ben.call(notesOfFile, { params: { id }, query: {} })).toEqual([])
    await expect(ben.call(deleteNote, { params: { id: note.id } })).rejects.toMatchObject({ status: 404 })
    await expect(edit(ben, note.id, 'Too late')).rejects.toMatchObject({ status: 404, code: 'not_found' })
    // Ids are not reused.
    expect((await write(ben, id, 'Another')).id).toBeGreaterThan(note.id)
  })

  test('come back as they were for the person who deleted them, their author and an admin, for 30 days', async () => {
    const [ben, rose, ada] = [
      await memberOf(library()),
      await memberOf(library(), 'rose'),
      await memberOf(library(), 'ada'),
    ]
    const id = await newFile(library())
    const first = await write(ben, id, 'Only once')
    const note = await edit(ben, first.id, 'Père Noël was here')
    await write(ben, id, 'Later')
    const params = { id: note.id }
    await expect(rose.call(restoreNote, { params })).rejects.toMatchObject({ status: 404 })
    await rose.call(deleteNote, { params })
    expect(await rose.call(restoreNote, { params })).toEqual(note)
    expect((await ben.call(notesOfFile, { params: { id }, query: {} }))[0]).toEqual(note)
    expect(await found(ben, 'pere noel was here')).toEqual([id])
    await expect(rose.call(restoreNote, { params })).rejects.toMatchObject({ status: 404 })
    expect((await write(ben, id, 'Newest')).id).toBeGreaterThan(note.id)

    for (const other of [ben, ada]) {
      await rose.call(deleteNote, { params })
      expect(await other.call(restoreNote, { params })).toEqual(note)
    }
    await ada.call(deleteNote, { params })
    await expect(rose.call(restoreNote, { params })).rejects.toMatchObject({ status: 404 })
    expect(await ben.call(restoreNote, { params })).toEqual(note)

    await rose.call(deleteNote, { params })
    library().pass(30 * DAY + 1)
    await expect(rose.call(restoreNote, { params })).rejects.toMatchObject({ status: 404 })
  })

  test('do not come back with an old text for the person who deleted them before somebody else', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const { id } = await write(rose, await newFile(library()), 'Too much said')
    const params = { id }
    await ben.call(deleteNote, { params })
    await ben.call(restoreNote, { params })
    await edit(rose, id, 'Better')
    await rose.call(deleteNote, { params })
    await expect(ben.call(restoreNote, { params })).rejects.toMatchObject({ status: 404 })
    expect(await rose.call(restoreNote, { params })).toMatchObject({ content: 'Better' })
  })

  test('get their text back by an undo, unless somebody has changed it since', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const note = await write(ben, await newFile(library()), 'One')
    await edit(ben, note.id, 'Two')
    const undo = { params: { id: note.id }, body: { content: 'One', expected: 'Two' } }
    expect(await ben.call(updateNote, undo)).toMatchObject({ content: 'One' })
    await edit(rose, note.id, 'Three')
    await expect(ben.call(updateNote, undo)).rejects.toMatchObject({ status: 409 })
  })

  test('are found by the search as they are now', async () => {
    const ben = await memberOf(library())
    const id = await newFile(library(), 'quiet.jpg')
    const note = await write(ben, id, 'Père Noël came by')
    await write(ben, id, 'twice')
    expect(await found(ben, 'PERE NOEL')).toEqual([id])
    await ben.call(addTag, { params: { id }, body: { tagName: 'Quietly tagged' } })
    await ben.call(renameMedia, { params: { id }, body: { newName: 'loud.jpg' } })
    expect(await found(ben, 'pere noel')).toEqual([id])
    await edit(ben, note.id, 'Santa came by')
    expect(await found(ben, 'pere noel')).toEqual([])
    expect(await found(ben, 'santa')).toEqual([id])
    await ben.call(deleteNote, { params: { id: note.id } })
    expect(await found(ben, 'santa')).toEqual([])
    for (const word of ['twice', 'quietly tagged', 'loud']) expect(await found(ben, word)).toEqual([id])
  })

  test('of a deleted file are gone with it, and come back with it', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const id = await newFile(library())
    const note = await write(ben, id, 'Kept')
    await ben.call(deleteMedia, { params: { id } })
    for (const call of [
      () => ben.call(notesOfFile, { params: { id }, query: {} }),
      () => write(ben, id, 'Late'),
      () => edit(ben, note.id, 'Late'),
      () => ben.call(deleteNote, { params: { id: note.id } }),
      () => ben.call(notesOfFile, { params: { id: gone }, query: {} }),
      () => write(ben, gone, 'Late'),
      () => edit(ben, gone, 'Late'),
    ]) {
      await expect(call()).rejects.toMatchObject({ status: 404, code: 'not_found' })
    }
    await ada.call(restoreFiles, { body: { fileIds: [id] } })
    expect(await ben.call(notesOfFile, { params: { id }, query: {} })).toEqual([note])
  })

  test('hold any text, and nothing that is none', async () => {
    const ben = await memberOf(library())
    const id = await newFile(library())
    const send = async (content: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ content })
      return (await ben.fetch(`/api/notes/media/${id}`, { method: 'POST', headers, body })).status
    }
    const texts = [
      'x'.repeat(5_000),
      '<script>alert(1)</script>',
      '👩‍👩‍👧‍👦 שלום 東京',
      "'; drop table notes; --",
      '\\%_',
    ]
    for (const content of texts) expect(await send(content)).toBe(201)
    for (const content of ['', ' \n\t ', 'x'.repeat(5_001)]) expect(await send(content)).toBe(422)
    for (const content of [1, null, undefined, {}, 'a\0b']) expect(await send(content)).toBe(400)
    const notes = await ben.call(notesOfFile, { params: { id }, query: {} })
    expect(notes.map(note => note.content)).toEqual(texts)
  })

  test('leave a line with what was there, when something changed and only then', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const id = await newFile(library())
    const note = await write(ben, id, 'One')
    await edit(ada, note.id, 'Two')
    await edit(ada, note.id, 'Two')
    await ada.call(deleteNote, { params: { id: note.id } })
    const lines = await ada.call(listActivity, { query: { media_id: id } })
    const was = { note_id: note.id, author_id: await library().idOf('ben') }
    expect(lines.map(line => [line.actor?.username, line.act, line.before]).toReversed()).toEqual([
      ['ben', 'note.add', null],
      ['ada', 'note.edit', { ...was, content: 'One' }],
      ['ada', 'note.delete', { ...was, content: 'Two' }],
    ])
  })

  test('of many writers at the same moment are all there, and found', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await newFile(library())
    const words = Array.from({ length: 8 }, (_, i) => `Simultaneous ${i}.`)
    await Promise.all(
      words.flatMap((word, i) => [
        write(i % 2 ? ben : rose, id, word),
        rose.call(addTag, { params: { id }, body: { tagName: `at once ${i}!` } }),
      ]),
    )
    expect(await ben.call(notesOfFile, { params: { id }, query: {} })).toHaveLength(words.length)
    for (const [i, word] of words.entries()) {
      expect(await found(ben, word)).toEqual([id])
      expect(await found(ben, `at once ${i}!`)).toEqual([id])
    }
  })

  test('that a browser sends several times, because it got no answer, are one', async () => {
    const people = await family(library())
    const { ben, rose } = people
    const id = await newFile(library())
    const params = { id }
    const body = { content: 'Is that the old boat, @rose?', client_id: 'key-of-the-note' }
    const asked: string[] = []
    const seen = await notificationsDuring(people, async () => {
      const answers = await Promise.all([1, 2, 3].map(() => ben.call(addNote, { params, body })))
      asked.push(...answers.map(note => JSON.stringify(note)))
      // What is sent again may have been written differently; the first one counts.
      const again = await ben.call(addNote, { params, body: { ...body, content: 'Something else' } })
      asked.push(JSON.stringify(again))
    })
    expect(new Set(asked).size).toBe(1)
    expect(seen.rose).toEqual([expect.stringContaining('mentioned you')])
    expect(await ben.call(notesOfFile, { params, query: {} })).toHaveLength(1)

    // The key belongs to its author, and to one file.
    const theirs = await rose.call(addNote, { params, body: { ...body, content: 'It is!' } })
    expect(theirs.content).toBe('It is!')
    const other = { params: { id: await newFile(library(), 'other.jpg') }, body }
    await expect(ben.call(addNote, other)).rejects.toMatchObject({ status: 409, code: 'conflict' })
    await expect(ben.call(addNote, { params, body: { ...body, client_id: 'short' } })).rejects.toMatchObject({
      status: 422,
    })
    // One that was deleted does not return by being sent again.
    await rose.call(deleteNote, { params: { id: JSON.parse(asked[0] ?? '').id } })
    await expect(ben.call(addNote, { params, body })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    expect(await ben.call(notesOfFile, { params, query: {} })).toEqual([theirs])
  })

  test('and tags are announced to every open page', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await newFile(library())
    const page = await listen(rose)
    const note = await write(ben, id, 'News')
    await page.receives({ kind: 'notes', media_id: id })
    for (const change of [() => edit(ben, note.id, 'Newer'), () => ben.call(deleteNote, { params: { id: note.id } })]) {
      page.forget()
      await change()
      await page.receives({ kind: 'notes', media_id: id })
    }
    await ben.call(addTag, { params: { id }, body: { tagName: 'News' } })
    await page.receives({ kind: 'tags', media_id: id })
  })
})
