import { describe, expect, test } from 'vitest'
import { deleteMedia, renameMedia } from '#contract/media.ts'
import { listMedia, mediaIds, mediaPosition, type SortField, type SortOrder } from '#contract/media-list.ts'
import { type FileToInsert, insertMedia, learnOf, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { storageOf } from '../../test/fixtures/remains.ts'
import { type Engine, onBothEngines, type SignedIn } from '../../test/library.ts'
import { listAllFiles, listFiles } from './list.ts'

const sorts: SortField[] = ['name', 'date', 'added', 'size', 'type', 'location']
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

/** Many similar files: every sort order has ties, missing places and various scripts. */
function manyFiles(): FileToInsert[] {
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
  const files: { id: number; original_name: string; location: string | null }[] = []
  let cursor: string | undefined
  for (let page = 0; page === 0 || cursor; page++) {
    const answer = await person.call(listMedia, { query: { limit: 7, ...query, ...(cursor ? { cursor } : {}) } })
    files.push(...answer.files)
    cursor = answer.next_cursor ?? undefined
    await between(page)
  }
  return files
}

/** The reverse order: files without a place are last in both. */
function opposed<File extends { location: string | null }>(files: File[], sort: SortField): File[] {
  const isKnown = (file: File) => sort !== 'location' || Boolean(file.location)
  return [...files.filter(isKnown).toReversed(), ...files.filter(file => !isKnown(file)).toReversed()]
}

describe('the order of a list', () => {
  const seen = new Map<string, Map<Engine, string[]>>()

  onBothEngines('', (library, engine) => {
    test.each(everyOrder)('by $sort, $order, is whole, and the same page by page', async ({ sort, order }) => {
      const ben = await memberOf(library())
      if ((await ben.call(listMedia, { query: {} })).count === 0) await insertMedia(library(), manyFiles())
      const whole = (await ben.call(listMedia, { query: { sort, order } })).files
      expect(whole).toHaveLength(60)
      const ids = whole.map(file => file.id)
      expect((await walk(ben, { sort, order })).map(file => file.id)).toEqual(ids)
      const opposite = await ben.call(listMedia, { query: { sort, order: order === 'asc' ? 'desc' : 'asc' } })
      expect(opposite.files.map(file => file.id)).toEqual(opposed(whole, sort).map(file => file.id))

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
    await insertMedia(library(), [
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

  test.each(orders)('by place, %s, has the files without a place last', async order => {
    const ben = await memberOf(library())
    const placed = ['Ærø', '\u{10fffd}', '!', null, 'Zürich', '', '東京'].map(location => ({
      name: 'p',
      camera: `placed-${order}`,
      location,
    }))
    await insertMedia(library(), placed)
    const walked = await walk(ben, { sort: 'location', order, search: `placed-${order}`, limit: 2 })
    const locations = walked.map(file => file.location || null)
    expect(locations.slice(-2)).toEqual([null, null])
    expect(new Set(locations.slice(0, -2)).size).toBe(5)
  })

  test('by place puts a file that gets or loses its place where it belongs', async () => {
    const ben = await memberOf(library())
    const [first = 0, second = 0] = await insertMedia(library(), [
      { name: 'first', camera: 'wandering', location: 'Aarhus' },
      { name: 'second', camera: 'wandering', location: null },
    ])
    const inOrder = async () => (await walk(ben, { sort: 'location', search: 'wandering' })).map(file => file.id)
    expect(await inOrder()).toEqual([first, second])
    await learnOf(library(), first, { location: null, camera: 'wandering' })
    await learnOf(library(), second, { location: 'Zagreb', camera: 'wandering' })
    expect(await inOrder()).toEqual([second, first])
  })

  test('counts as people do', async () => {
    const ben = await memberOf(library())
    const wanted = ['N 1', 'N 2', 'N 10', 'N 010b', 'N 20240101', 'n 20240601123456788', 'N 20240601123456789', 'Nabe']
    await insertMedia(
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
    const stay = await insertMedia(library(), files)
    const leave = await insertMedia(library(), files.slice(0, 4))
    const walked = await walk(ben, { sort, search: `steady-${sort}` }, async page => {
      const id = leave[page]
      if (id) await ben.call(deleteMedia, { params: { id } })
      if (page === 1) await insertMedia(library(), files.slice(5, 20))
    })
    const ids = walked.map(file => file.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter(id => stay.includes(id)).toSorted((a, b) => a - b)).toEqual(stay)
  })

  test('is given as ids, whole or from one file to another, and gives the position of a file', async () => {
    const ben = await memberOf(library())
    await insertMedia(
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
    const [stranger = 0] = await insertMedia(library(), [{ name: 'stranger' }])
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
      { cursor: made('date', 'desc', 'abc', 0, 1) },
      { cursor: made('date', 'desc', 1.5, 0, 1) },
      { cursor: made('date', 'desc', 1e300, 0, 1) },
      { cursor: made('date', 'desc', 1, 0, '1') },
      { cursor: made('date', 'desc', null, 0, 1) },
      { cursor: made('date', 'desc', 1, 5, 1) },
      { cursor: made('date', 'desc', 1, 1e300, 1) },
      { cursor: made('date', 'desc', 1, 1) },
      { cursor: made('date', 'desc', [1], 0, 1) },
      { cursor: made('name', 'asc', 5, 0, 1), sort: 'name' },
      { cursor: made('name', 'asc', 'a\0b', 0, 1), sort: 'name' },
      { cursor: Buffer.from('null').toString('base64url') },
      { cursor: Buffer.from('{"length":4}').toString('base64url') },
    ]
    for (const query of refused) {
      const response = await ben.fetch(`/api/media?${new URLSearchParams(query as Record<string, string>)}`)
      expect(response.status, JSON.stringify(query)).toBe(400)
    }
    const far = await ben.call(listMedia, { query: { cursor: made('date', 'desc', -8e15, 0, 1) } })
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
    await insertMedia(
      library(),
      Array.from({ length: 500 }, (_, i) => ({ name: `counted ${i}`, camera: 'counted-camera' })),
    )
    const storage = await storageOf(library())
    await withDatabase(library(), async db => {
      let queries = 0
      const read = db.query.withPlugin({
        transformQuery({ node }) {
          queries++
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const asked = async (limit: number) => {
        queries = 0
        const { files } = await listFiles({ db: { ...db, query: read }, storage }, 0, {
          sort: 'name',
          search: 'counted-camera',
          limit,
        })
        expect(files).toHaveLength(limit)
        return queries
      }
      const forOne = await asked(1)
      expect(forOne).toBeGreaterThan(0)
      expect(await asked(500)).toBe(forOne)
    })
  })

  test('gives all files without a limit: in order, with the statistics, and continued from anywhere', async () => {
    const ben = await memberOf(library())
    const camera = 'whole-camera'
    await insertMedia(
      library(),
      Array.from({ length: 450 }, (_, i) => ({ name: `whole ${(i * 7) % 450}`, camera })),
    )
    const query = { sort: 'name', search: camera } as const
    const { ids } = await ben.call(mediaIds, { query })
    const idsOf = (files: { id: number }[]) => files.map(file => file.id)
    const all = await ben.call(listMedia, { query })
    expect(idsOf(all.files)).toEqual(ids)
    expect(all).toMatchObject({ count: 450, next_cursor: null })
    const { stats, next_cursor } = await ben.call(listMedia, { query: { ...query, limit: 10 } })
    expect(all.stats).toEqual(stats)
    const rest = await ben.call(listMedia, { query: { ...query, cursor: next_cursor ?? '' } })
    expect(idsOf(rest.files)).toEqual(ids.slice(10))
    const passedOver = await ben.call(listMedia, { query: { ...query, offset: 15 } })
    expect(idsOf(passedOver.files)).toEqual(ids.slice(15))
    expect((await ben.call(listMedia, { query: { search: 'no such thing' } })).files).toEqual([])
  })

  test('tells by its head whether there is a whole list', async () => {
    const ben = await memberOf(library())
    const head = (query: string) => ben.fetch(`/api/media${query}`, { method: 'HEAD' })
    expect((await head('')).status).toBe(200)
    expect((await head('?cursor=made-up')).status).toBe(400)
  })

  test('reads a whole list only as far as it is read, and each file once, whatever changes at the same time', async () => {
    const ben = await memberOf(library())
    const inserted = await insertMedia(
      library(),
      Array.from({ length: 450 }, (_, i) => ({ name: `taken ${1_000 + i}.jpg`, camera: 'taken-camera' })),
    )
    let made = 0
    const storage = await storageOf(library())
    const counting: typeof storage = {
      ...storage,
      signedUrl(key, options) {
        if (options?.download !== undefined) made++
        return storage.signedUrl(key, options)
      },
    }
    let isHere = true
    await withDatabase(library(), async db => {
      const deps = { db, storage: counting, isSignedIn: async () => isHere }
      const take = () => listAllFiles(deps, 0, { sort: 'name', search: 'taken-camera' })
      const left = await take()
      await left.next()
      expect(made).toBe(0)
      await left.next()
      expect(made).toBe(200)
      await left.return(undefined)

      let text = ''
      for await (const piece of await take()) {
        // During the stream: the first file now sorts last, one still to be read sorts first, and another is deleted.
        if (made === 400) {
          await ben.call(renameMedia, { params: { id: inserted[0] ?? 0 }, body: { newName: 'zzz.jpg' } })
          await ben.call(renameMedia, { params: { id: inserted[440] ?? 0 }, body: { newName: 'aaa.jpg' } })
          await ben.call(deleteMedia, { params: { id: inserted[441] ?? 0 } })
        }
        text += piece.toString()
      }
      const all = JSON.parse(text)
      expect(all.files.map((file: { id: number }) => file.id)).toEqual(inserted.filter((_, i) => i !== 441))
      expect(all).toMatchObject({ count: 450, next_cursor: null })

      const shownOut = await take()
      await shownOut.next()
      await shownOut.next()
      isHere = false
      await expect(shownOut.next()).rejects.toThrow('Please sign in.')
    })
  })
})
