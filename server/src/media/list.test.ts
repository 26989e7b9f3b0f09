import { describe, expect, test } from 'vitest'
import { createFolder } from '#contract/folders.ts'
import {
  deleteMedia,
  getMedia,
  listMedia,
  mediaIds,
  mediaPosition,
  type SortField,
  type SortOrder,
  timeline,
} from '#contract/media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { learnOf, type Planted, plant, withDatabase } from '../../test/fixtures/plant.ts'
import { storageOf } from '../../test/fixtures/remains.ts'
import { uploadFile } from '../../test/fixtures/uploads.ts'
import { type Engine, onBothEngines, type SignedIn } from '../../test/library.ts'
import { list } from './list.ts'

const sorts: SortField[] = ['name', 'date', 'size', 'type', 'location']
const orders: SortOrder[] = ['asc', 'desc']
const everyOrder = sorts.flatMap(sort => orders.map(order => ({ sort, order })))

const names = [
  'IMG_2.jpg',
  'img_10.JPG',
  'IMG_1.jpg',
  'Äpfel',
  'apfel',
  'Zoë',
  'zoe',
  '東京',
  'ßharp',
  'é',
  'E',
  '🏖️',
  '_',
  '%',
]
const places = [null, 'Ærø, Denmark', 'Zürich, Switzerland', 'zurich, Ontario', 'Ōsaka, Japan', null, '', 'éze, France']
const types = ['image/jpeg', 'image/png', 'video/mp4', 'image/x-canon-cr2']

/** Many alike, none the same: every order has ties, empty places and letters of every kind. */
function manyFiles(): Planted[] {
  return Array.from({ length: 60 }, (_, i) => {
    const mime = types[i % types.length] ?? ''
    return {
      name: `${names[i % names.length]}${i % 3 === 0 ? '' : i % 7}`,
      mime,
      type: mime.startsWith('video') ? 'video' : 'image',
      size: 1_000 + ((i * 37) % 11) * 1_000_000_000,
      location: places[i % places.length] ?? null,
      date: Date.UTC(2024, 0, 1 + (i % 13)) - (i % 5 === 0 ? 80 * 365 * 86_400_000 : 0),
    }
  })
}

async function walk(person: SignedIn, query: object, between: (page: number) => Promise<void> = async () => {}) {
  const files: { id: number; original_name: string }[] = []
  let cursor: string | undefined
  for (let page = 0; page === 0 || cursor; page++) {
    const answer = await person.call(listMedia, { query: { limit: 7, ...query, ...(cursor ? { cursor } : {}) } })
    files.push(...answer.files)
    cursor = answer.next_cursor ?? undefined
    await between(page)
  }
  return files
}

describe('the order of a list', () => {
  const seen = new Map<string, Map<Engine, string[]>>()

  onBothEngines('', (library, engine) => {
    test.each(everyOrder)('by $sort, $order, is whole, and the same page by page', async ({ sort, order }) => {
      const ben = await memberOf(library())
      if ((await ben.call(listMedia, { query: {} })).count === 0) await plant(library(), manyFiles())
      const whole = (await ben.call(listMedia, { query: { sort, order } })).files
      expect(whole).toHaveLength(60)
      const ids = whole.map(file => file.id)
      expect((await walk(ben, { sort, order })).map(file => file.id)).toEqual(ids)
      const opposite = await ben.call(listMedia, { query: { sort, order: order === 'asc' ? 'desc' : 'asc' } })
      expect(opposite.files.map(file => file.id)).toEqual(ids.toReversed())

      const engines = seen.get(`${sort} ${order}`) ?? new Map<Engine, string[]>()
      seen.set(
        `${sort} ${order}`,
        engines.set(
          engine,
          whole.map(file => `${file.original_name} ${file.file_size}`),
        ),
      )
    })
  })

  test.each(everyOrder)('by $sort, $order, does not depend on the engine', ({ sort, order }) => {
    const engines = seen.get(`${sort} ${order}`)
    expect(engines?.get('sqlite')).toHaveLength(60)
    expect(engines?.get('sqlite')).toEqual(engines?.get('postgres'))
  })
})

onBothEngines('a list', library => {
  test('is by date with the newest first; by anything else from its beginning', async () => {
    const ben = await memberOf(library())
    await plant(library(), [
      { name: 'b', size: 3, date: Date.UTC(2020, 0, 1) },
      { name: 'a', size: 2, date: Date.UTC(2022, 0, 1) },
      { name: 'c', size: 1, date: Date.UTC(1958, 0, 1) },
    ])
    const inOrder = async (query: object) => {
      const { files } = await ben.call(listMedia, { query })
      return files.map(file => file.original_name).join('')
    }
    expect(await inOrder({})).toBe('abc')
    expect(await inOrder({ sort: 'date', order: 'asc' })).toBe('cba')
    expect(await inOrder({ sort: 'name' })).toBe('abc')
    expect(await inOrder({ sort: 'size' })).toBe('cab')
  })

  test('counts as people do', async () => {
    const ben = await memberOf(library())
    const wanted = ['N 1', 'N 2', 'N 10', 'N 010b', 'N 20240101', 'n 20240601123456788', 'N 20240601123456789', 'Nabe']
    await plant(
      library(),
      wanted.toReversed().map(name => ({ name, location: 'Nowhere' })),
    )
    const { files } = await ben.call(listMedia, { query: { sort: 'name', search: 'nowhere' } })
    expect(files.map(file => file.original_name)).toEqual(wanted)
  })

  test.each(sorts)('by %s misses nothing and repeats nothing while files come and go', async sort => {
    const ben = await memberOf(library())
    const files = manyFiles()
      .slice(0, 30)
      .map(file => ({ ...file, camera: `steady-${sort}` }))
    const stay = await plant(library(), files)
    const leave = await plant(library(), files.slice(0, 4))
    const walked = await walk(ben, { sort, search: `steady-${sort}` }, async page => {
      const id = leave[page]
      if (id) await ben.call(deleteMedia, { params: { id } })
      if (page === 1) await plant(library(), files.slice(5, 20))
    })
    const ids = walked.map(file => file.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter(id => stay.includes(id)).toSorted((a, b) => a - b)).toEqual(stay)
  })

  test('can be had as ids, whole or from one file to another, and tells where a file stands', async () => {
    const ben = await memberOf(library())
    await plant(
      library(),
      manyFiles()
        .slice(0, 20)
        .map(file => ({ ...file, camera: 'numbered' })),
    )
    for (const { sort, order } of everyOrder) {
      const query = { sort, order, search: 'numbered' }
      const wanted = (await ben.call(listMedia, { query })).files.map(file => file.id)
      expect((await ben.call(mediaIds, { query })).ids).toEqual(wanted)
      const [first = 0, last = 0] = [wanted[4], wanted[11]]
      expect((await ben.call(mediaIds, { query: { ...query, first, last } })).ids).toEqual(wanted.slice(4, 12))
      expect((await ben.call(mediaIds, { query: { ...query, first: last, last: first } })).ids).toEqual([])
      expect(await ben.call(mediaPosition, { params: { id: last }, query })).toEqual({ index: 11 })
    }
    const [stranger = 0] = await plant(library(), [{ name: 'stranger' }])
    const elsewhere = { search: 'numbered', first: stranger }
    await expect(ben.call(mediaIds, { query: elsewhere })).rejects.toMatchObject({ status: 404 })
    await expect(
      ben.call(mediaPosition, { params: { id: stranger }, query: { search: 'numbered' } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('goes on only in the order in which it began', async () => {
    const ben = await memberOf(library())
    const { next_cursor } = await ben.call(listMedia, { query: { limit: 1 } })
    const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const refused = [
      { cursor: next_cursor ?? '', sort: 'name' },
      { cursor: next_cursor ?? '', order: 'asc' },
      { cursor: '' },
      { cursor: 'nonsense' },
      { cursor: made() },
      { cursor: made('date', 'desc', 'abc', 1) },
      { cursor: made('date', 'desc', 1.5, 1) },
      { cursor: made('date', 'desc', 1e300, 1) },
      { cursor: made('date', 'desc', 1, '1') },
      { cursor: made('date', 'desc', null, 1) },
      { cursor: made('date', 'desc', [1], 1) },
      { cursor: made('name', 'asc', 5, 1), sort: 'name' },
      { cursor: made('name', 'asc', 'a\0b', 1), sort: 'name' },
      { cursor: Buffer.from('null').toString('base64url') },
      { cursor: Buffer.from('{"length":4}').toString('base64url') },
    ]
    for (const query of refused) {
      const response = await ben.fetch(`/api/media?${new URLSearchParams(query as Record<string, string>)}`)
      expect(response.status, JSON.stringify(query)).toBe(400)
    }
    const far = await ben.call(listMedia, { query: { cursor: made('date', 'desc', -8e15, 1) } })
    expect(far.files).toEqual([])
  })

  test('refuses what no list is asked for', async () => {
    const ben = await memberOf(library())
    const status = async (query: string) => (await ben.fetch(`/api/media?${query}`)).status
    for (const query of [
      'sort=hash',
      'order=up',
      'type=audio',
      'folder_id=x',
      'folder_id=-1',
      'limit=0',
      'limit=9999',
      'sort=name&sort=date',
      'from=yesterday',
      'offset=-1',
      `search=${'x'.repeat(201)}`,
      'search=a%00b',
    ]) {
      expect(await status(query), query).toSatisfy((code: number) => code === 400 || code === 422)
    }
  })

  test('asks the database as often for five hundred files as for one', async () => {
    await memberOf(library())
    await plant(
      library(),
      Array.from({ length: 500 }, (_, i) => ({ name: `counted ${i}`, camera: 'counted-camera' })),
    )
    const storage = await storageOf(library())
    await withDatabase(library(), async db => {
      let queries = 0
      const read = db.read.withPlugin({
        transformQuery({ node }) {
          queries++
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const asked = async (limit: number) => {
        queries = 0
        const { files } = await list(
          { db: { ...db, read }, storage },
          { sort: 'name', search: 'counted-camera', limit },
        )
        expect(files).toHaveLength(limit)
        return queries
      }
      const forOne = await asked(1)
      expect(forOne).toBeGreaterThan(0)
      expect(await asked(500)).toBe(forOne)
    })
  })
})

onBothEngines('a filter', library => {
  test('by type, by folder or by both leaves what fits, and counts it', async () => {
    const ben = await memberOf(library())
    const folder = await ben.call(createFolder, { body: { name: 'Filtered' } })
    const video = { type: 'video', mime: 'video/mp4' } as const
    await plant(library(), [
      { name: 'root photo', size: 10 },
      { name: 'root film', size: 20, ...video },
      { name: 'inner photo', size: 40, folder: folder.id },
      { name: 'inner film', size: 80, folder: folder.id, ...video },
      { name: 'inner film 2', size: 160, folder: folder.id, ...video },
    ])
    const found = async (query: object) => {
      const { files, count, stats } = await ben.call(listMedia, { query: { sort: 'size', ...query } })
      expect(count).toBe(files.length)
      // Of the whole library, whatever is asked for.
      expect(stats).toEqual({ total: 5, images: 2, videos: 3, totalSize: 310 })
      return files.map(file => file.file_size)
    }
    expect(await found({})).toEqual([10, 20, 40, 80, 160])
    expect(await found({ type: 'image' })).toEqual([10, 40])
    expect(await found({ type: 'video' })).toEqual([20, 80, 160])
    expect(await found({ folder_id: 'root' })).toEqual([10, 20])
    expect(await found({ folder_id: folder.id })).toEqual([40, 80, 160])
    expect(await found({ folder_id: folder.id, type: 'image' })).toEqual([40])
    expect(await found({ folder_id: 'root', type: 'video', search: 'film' })).toEqual([20])
    expect(await found({ folder_id: folder.id, search: 'film 2' })).toEqual([160])
    expect(await found({ folder_id: 999_999 })).toEqual([])
    const [page] = [await ben.call(listMedia, { query: { limit: 2, sort: 'size', folder_id: folder.id } })]
    expect(page).toMatchObject({ count: 3, next_cursor: expect.any(String) })
    const last = await ben.call(listMedia, { query: { limit: 2, sort: 'size', folder_id: folder.id, offset: 2 } })
    expect(last.files.map(file => file.file_size)).toEqual([160])
    expect(last.next_cursor).toBeNull()
  })

  test('by days goes by the wall clock, and so does the timeline', async () => {
    const ben = await memberOf(library())
    const late = Date.UTC(1999, 11, 31, 23, 59, 59)
    await plant(library(), [
      { name: 'late', date: late, camera: 'millennium' },
      { name: 'early', date: late + 1_000, camera: 'millennium' },
      { name: 'before all time', date: Date.UTC(1931, 4, 4), camera: 'millennium' },
    ])
    const names = async (query: object) => {
      const { files, count } = await ben.call(listMedia, { query: { search: 'millennium', ...query } })
      expect(count).toBe(files.length)
      return files.map(file => file.original_name)
    }
    expect(await names({ from: '2000-01-01' })).toEqual(['early'])
    expect(await names({ to: '1999-12-31' })).toEqual(['late', 'before all time'])
    expect(await names({ from: '1999-12-31', to: '1999-12-31' })).toEqual(['late'])
    expect(await names({ from: '1931-05-04', to: '1931-05-04' })).toEqual(['before all time'])
    expect(await names({ from: '1931-05-05', to: '1931-05-03' })).toEqual([])
    expect((await ben.call(timeline, { query: { search: 'millennium' } })).days).toEqual([
      ['2000-01-01', 1],
      ['1999-12-31', 1],
      ['1931-05-04', 1],
    ])
  })

  test('by days is not upset by a file that claims to be of the far future', async () => {
    const ben = await memberOf(library())
    const file = await uploadFile(ben, { name: 'future.jpg', lastModified: Number.MAX_SAFE_INTEGER })
    const past = await uploadFile(ben, { name: 'past.jpg', lastModified: -Number.MAX_SAFE_INTEGER })
    const { days } = await ben.call(timeline, { query: { search: '.jpg' } })
    expect(days).toEqual([[file.uploaded_at.slice(0, 10), 2]])
    await expect(ben.call(getMedia, { params: { id: past.id } })).resolves.toMatchObject({ taken_at: null })
  })
})

onBothEngines('a search', library => {
  const films = [
    'Große Ferien.mp4',
    'ΟΔΟΣ.jpg',
    'Crème brûlée.png',
    '100% sure_thing.jpg',
    `it's "quoted" \\ slash.jpg`,
    '東京タワー.jpg',
    'Ａｂｃ full width.jpg',
    'İstanbul.jpg',
    'plain NEAR file AND more.jpg',
    'naïve – café.jpg',
  ]
  const cases: [search: string, found: string[]][] = [
    ['große', ['Große Ferien.mp4']],
    ['GROSSE', ['Große Ferien.mp4']],
    ['οδός', ['ΟΔΟΣ.jpg']],
    ['ΟΔΟΣ', ['ΟΔΟΣ.jpg']],
    ['creme BRULEE', ['Crème brûlée.png']],
    ['brûlée crème', ['Crème brûlée.png']],
    ['crème ferien', []],
    ['%', ['100% sure_thing.jpg']],
    ['0%', ['100% sure_thing.jpg']],
    ['100% sure', ['100% sure_thing.jpg']],
    ['1%e', []],
    ['_', ['100% sure_thing.jpg']],
    ['e_t', ['100% sure_thing.jpg']],
    ['sure_', ['100% sure_thing.jpg']],
    ['sur__thing', []],
    ['"', [`it's "quoted" \\ slash.jpg`]],
    ['"quoted"', [`it's "quoted" \\ slash.jpg`]],
    ["it's", [`it's "quoted" \\ slash.jpg`]],
    ['\\', [`it's "quoted" \\ slash.jpg`]],
    ['東', ['東京タワー.jpg']],
    ['東京', ['東京タワー.jpg']],
    ['京タワ', ['東京タワー.jpg']],
    ['abc', ['Ａｂｃ full width.jpg']],
    ['istanbul', ['İstanbul.jpg']],
    ['İSTANBUL', ['İstanbul.jpg']],
    ['and', ['plain NEAR file AND more.jpg']],
    ['near', ['plain NEAR file AND more.jpg']],
    ['"and" or not', []],
    ['cafe', ['naïve – café.jpg']],
    ['–', ['naïve – café.jpg']],
    ['*', []],
    ['(', []],
    ['a* OR b', []],
    ['^plain', []],
    ['search_text:plain', []],
    ['mp4', ['Große Ferien.mp4']],
    ['f', ['Große Ferien.mp4', 'plain NEAR file AND more.jpg', 'naïve – café.jpg', 'Ａｂｃ full width.jpg']],
  ]

  test.each(cases)('for %s', async (search, found) => {
    const ben = await memberOf(library())
    if ((await ben.call(listMedia, { query: {} })).count === 0)
      await plant(
        library(),
        films.map(name => ({ name })),
      )
    const { files, count } = await ben.call(listMedia, { query: { search } })
    expect(files.map(file => file.original_name).toSorted()).toEqual(found.toSorted())
    expect(count).toBe(found.length)
  })

  test('of nothing but blanks finds everything', async () => {
    const ben = await memberOf(library())
    expect((await ben.call(listMedia, { query: { search: '   ' } })).count).toBe(films.length)
  })

  test('looks at the place and the camera too, but never across two of them', async () => {
    const ben = await memberOf(library())
    const { files } = await ben.call(listMedia, { query: { search: 'İstanbul' } })
    const id = files[0]?.id ?? 0
    const finds = async (search: string) => {
      const found = (await ben.call(listMedia, { query: { search } })).files
      return found.some(file => file.id === id)
    }
    expect(await finds('Üsküdar')).toBe(false)
    await learnOf(library(), id, { location: 'Üsküdar, Türkiye', camera: 'Leica M6' })
    expect(await finds('uskudar')).toBe(true)
    expect(await finds('m6')).toBe(true)
    expect(await finds('istanbul leica turkiye')).toBe(true)
    expect(await finds('jpguskudar')).toBe(false)
    await learnOf(library(), id, { location: null, camera: null })
    expect(await finds('uskudar')).toBe(false)
  })
})
