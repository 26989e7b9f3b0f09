import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createFolder } from '#contract/folders.ts'
import { DAY } from '#contract/limits.ts'
import { bulkDelete } from '#contract/media.ts'
import { listMedia, mediaIds } from '#contract/media-list.ts'
import { addNote } from '#contract/notes.ts'
import { addTag, tagFiles } from '#contract/tags.ts'
import { insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { type Library, onBothEngines, type SignedIn } from '../../test/library.ts'
import { matching } from './filter.sql.ts'
import { planSearch } from './search.sql.ts'

/** Enough files that a common word is searched by a scan in list order. */
const MANY = 3_000

/** Common words, words common only in the oldest files, rare words, and words too short for the trigram index. */
function manyFiles(folder: number) {
  return Array.from({ length: MANY }, (_, i) => ({
    name: `common ${i % 50 === 0 ? 'seldom' : 'often'} ${i}.jpg`,
    camera: i < 1_200 ? 'Oldcamera' : 'Newcamera',
    date: Date.UTC(2000, 0, 1) + (i % 1_500) * DAY + (i < 1_200 ? 0 : 3_000 * DAY),
    folder: i % 3 === 0 ? folder : null,
    size: i + 1,
  }))
}

interface Setting {
  ben: SignedIn
  ids: number[]
  folder: number
}

const settings = new WeakMap<Library, Promise<Setting>>()

function setting(library: Library): Promise<Setting> {
  const known = settings.get(library)
  if (known) return known
  const made = (async () => {
    const ben = await memberOf(library)
    const { id: folder } = await ben.call(createFolder, { body: { name: 'Third' } })
    const ids = await insertMedia(library, manyFiles(folder))
    const [first = 0, second = 0, third = 0] = ids
    await ben.call(addNote, { params: { id: first }, body: { content: 'Newcamera is what this one is not' } })
    await ben.call(addTag, { params: { id: second }, body: { tagName: 'newcamera' } })
    await ben.call(addNote, { params: { id: third }, body: { content: 'an unheard-of word' } })
    await ben.call(tagFiles, { body: { fileIds: ids.slice(0, 1_100), tagName: 'Everywhere' } })
    await ben.call(bulkDelete, { body: { fileIds: ids.slice(-20) } })
    return { ben, ids: ids.slice(0, -20), folder }
  })()
  settings.set(library, made)
  return made
}

onBothEngines('a search in many files', library => {
  /** By the index of a file, in insertion order. */
  const isOld = (i: number) => i < 1_200
  const cases: [search: string, matches: (i: number) => boolean][] = [
    ['common', () => true],
    ['common jpg', () => true],
    ['newcamera', i => !isOld(i) || i < 2],
    ['oldcamera', isOld],
    ['oldcamera newcamera', i => i < 2],
    ['seldom', i => i % 50 === 0],
    ['common seldom newcamera', i => i % 50 === 0 && (!isOld(i) || i < 2)],
    ['unheard-of', i => i === 2],
    ['everywhere', i => i < 1_100],
    ['everywhere newcamera', i => i < 2],
    ['co', () => true],
    ['se', i => i % 50 === 0],
    ['17', i => /17/.test(String(i))],
    ['m1', () => false],
    ['ev', i => i < 1_100],
    ['co newcamera', i => !isOld(i) || i < 2],
    ['zz', () => false],
    ['zz common', () => false],
  ]
  const orders = [
    { sort: 'date', order: 'desc' },
    { sort: 'date', order: 'asc' },
    { sort: 'size', order: 'asc' },
  ] as const

  test.each(cases)('for %s finds the same page by page as at once, and counts it', async (search, matches) => {
    const { ben, ids, folder } = await setting(library())
    const wanted = ids.filter((_, i) => matches(i))
    for (const order of orders) {
      const whole = (await ben.call(mediaIds, { query: { ...order, search } })).ids
      expect(whole.toSorted((a, b) => a - b)).toEqual(wanted)
      const first = await ben.call(listMedia, { query: { ...order, search, limit: 20 } })
      expect(first.count).toBe(wanted.length)
      const second = first.next_cursor
        ? await ben.call(listMedia, { query: { ...order, search, limit: 20, cursor: first.next_cursor } })
        : { files: [] }
      expect([...first.files, ...second.files].map(file => file.id)).toEqual(whole.slice(0, 40))
      const later = await ben.call(listMedia, { query: { ...order, search, limit: 5, offset: 30 } })
      expect(later.files.map(file => file.id)).toEqual(whole.slice(30, 35))
    }
    const inFolder = await ben.call(listMedia, { query: { search, folder_id: folder, limit: 10 } })
    expect(inFolder.count).toBe(ids.filter((_, i) => matches(i) && i % 3 === 0).length)
  })

  test('begins with the rarest word, and looks for common ones in the order of the list', async () => {
    await setting(library())
    await withDatabase(library(), async db => {
      const plan = (...words: string[]) => planSearch(db, { words, given: {} }, 21)
      expect((await plan('common')).rare).toBeUndefined()
      expect((await plan('co')).rare).toBeUndefined()
      expect((await plan('common', 'seldom', 'co')).rare).toBe('seldom')
      expect((await plan('everywhere')).rare).toBeUndefined()
      expect((await plan('se')).rare).toBe('se')
      expect((await plan('m1')).rare).toBe('m1')
    })
  })

  test('reads the texts of no other files for a rare word of two letters', async () => {
    await setting(library())
    await withDatabase(library(), async db => {
      const filter = { words: ['se'], given: {} }
      const query = matching(db, filter, await planSearch(db, filter, 21))
        .select('id')
        .compile()
      const explain = db.engine === 'sqlite' ? 'explain query plan' : 'explain'
      const statement = sql.raw<object>(`${explain} ${query.sql}`).compile(db.query)
      const { rows } = await db.query.executeQuery({ ...statement, parameters: query.parameters })
      expect(JSON.stringify(rows)).toContain('media_search_texts_shape_idx')
      expect(JSON.stringify(rows)).not.toMatch(/SCAN media_search_texts|Seq Scan on media_search_texts/)
    })
  })
})
