import { describe, expect, test } from 'vitest'
import {
  createFolder,
  deleteFolder,
  type Folder,
  listFolders,
  listSubfolders,
  updateFolder,
} from '#contract/folders.ts'
import { bulkChanges } from '#contract/limits.ts'
import { deleteMedia, getMedia, moveFiles } from '#contract/media.ts'
import { listMedia, mediaStats } from '#contract/media-list.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'
import { CallRefused } from '../../test/visitor.ts'

const gone = 999_999_999

async function make(person: SignedIn, name: string, parent?: Folder): Promise<Folder> {
  return person.call(createFolder, { body: { name, parent_id: parent?.id ?? null } })
}

/** The statuses of concurrent calls, sorted. */
async function statuses(calls: Promise<unknown>[]): Promise<number[]> {
  const settled = await Promise.all(
    calls.map(call =>
      call.then(
        () => 200,
        error => (error instanceof CallRefused ? error.status : Promise.reject(error)),
      ),
    ),
  )
  return settled.toSorted()
}

onBothEngines('folders', library => {
  const paths = async (person: SignedIn, below: string) =>
    (await person.call(listFolders)).map(folder => folder.path).filter(path => path.startsWith(below))

  test('come with level and path, parents before their children, siblings as people count', async () => {
    const ben = await memberOf(library())
    const travel = await make(ben, '  Travel ')
    expect(travel).toMatchObject({ name: 'Travel', parent_id: null, level: 0, path: 'Travel', file_count: 0 })
    const spain = await make(ben, 'Spain', travel)
    await make(ben, 'Day 10', spain)
    await make(ben, 'day 2', spain)
    await make(ben, 'Ärmelkanal', travel)
    expect(await make(ben, 'Ronda', spain)).toMatchObject({ level: 2, path: 'Travel / Spain / Ronda' })
    expect(await paths(ben, 'Travel')).toEqual([
      'Travel',
      'Travel / Ärmelkanal',
      'Travel / Spain',
      'Travel / Spain / day 2',
      'Travel / Spain / Day 10',
      'Travel / Spain / Ronda',
    ])
  })

  test('that are siblings bear different names, whatever case', async () => {
    const ben = await memberOf(library())
    const [first, second] = [await make(ben, 'Summer'), await make(ben, 'Winter')]
    const taken = { status: 409, code: 'conflict' }
    for (const name of ['Summer', 'SUMMER', ' summer ', 'Ｓummer']) {
      await expect(make(ben, name)).rejects.toMatchObject(taken)
    }
    await expect(ben.call(updateFolder, { params: { id: second.id }, body: { name: 'summer' } })).rejects.toMatchObject(
      taken,
    )
    await expect(make(ben, 'Summer', first)).resolves.toMatchObject({ path: 'Summer / Summer' })
    const again = await ben.call(updateFolder, { params: { id: first.id }, body: { name: 'SUMMER' } })
    expect(again).toMatchObject({ name: 'SUMMER' })
  })

  test('take no name that is none', async () => {
    const ben = await memberOf(library())
    await expect(make(ben, '   ')).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('Please enter a folder name'),
    })
    await expect(make(ben, 'n'.repeat(101))).rejects.toMatchObject({ status: 422 })
    await expect(make(ben, 'a\0b')).rejects.toMatchObject({ status: 400 })
    await expect(ben.call(updateFolder, { params: { id: 1 }, body: {} })).rejects.toMatchObject({ status: 422 })
    await expect(make(ben, 'n'.repeat(100))).resolves.toMatchObject({ level: 0 })
  })

  test('that are gone are not found', async () => {
    const ben = await memberOf(library())
    const notFound = { status: 404 }
    await expect(ben.call(createFolder, { body: { name: 'x', parent_id: gone } })).rejects.toMatchObject(notFound)
    await expect(ben.call(updateFolder, { params: { id: gone }, body: { name: 'x' } })).rejects.toMatchObject(notFound)
    await expect(ben.call(deleteFolder, { params: { id: gone } })).rejects.toMatchObject(notFound)
    const here = await make(ben, 'Here')
    const into = { params: { id: here.id }, body: { parent_id: gone } }
    await expect(ben.call(updateFolder, into)).rejects.toMatchObject(notFound)
  })

  test('move with everything below them, but never into themselves', async () => {
    const ben = await memberOf(library())
    const [a, other] = [await make(ben, 'A'), await make(ben, 'Other')]
    const b = await make(ben, 'B', a)
    const c = await make(ben, 'C', b)
    const move = (folder: Folder, parent: Folder | null) =>
      ben.call(updateFolder, { params: { id: folder.id }, body: { parent_id: parent?.id ?? null } })
    for (const inner of [a, b, c]) await expect(move(a, inner)).rejects.toMatchObject({ status: 409 })
    expect(await move(b, other)).toMatchObject({ path: 'Other / B', level: 1 })
    expect(await paths(ben, 'Other')).toEqual(['Other', 'Other / B', 'Other / B / C'])
    expect(await move(b, null)).toMatchObject({ path: 'B', level: 0 })
    await make(ben, 'c', a)
    await expect(move(c, a)).rejects.toMatchObject({ status: 409 })
    const both = { params: { id: c.id }, body: { parent_id: a.id, name: 'D' } }
    expect(await ben.call(updateFolder, both)).toMatchObject({ path: 'A / D' })
    const undo = {
      params: { id: c.id },
      body: { parent_id: null, name: 'C', expected: { parent_id: a.id, name: 'D' } },
    }
    expect(await ben.call(updateFolder, undo)).toMatchObject({ path: 'C' })
    await expect(ben.call(updateFolder, undo)).rejects.toMatchObject({ status: 409 })
  })

  test('are at most 50 levels deep, created there or moved there', async () => {
    const ben = await memberOf(library())
    const chain = await make(ben, 'Level 1').then(first => [first])
    while (chain.length < 50) chain.push(await make(ben, `Level ${chain.length + 1}`, chain.at(-1)))
    const tooDeep = { status: 409, message: expect.stringContaining('at most 50 levels') }
    await expect(make(ben, 'Level 51', chain[49])).rejects.toMatchObject(tooDeep)

    const pair = await make(ben, 'Pair')
    const inner = await make(ben, 'Inner', pair)
    const putBelow = (level: number) =>
      ben.call(updateFolder, { params: { id: pair.id }, body: { parent_id: chain[level - 1]?.id ?? null } })
    await expect(putBelow(49)).rejects.toMatchObject(tooDeep)
    expect(await paths(ben, 'Pair')).toEqual(['Pair', 'Pair / Inner'])
    await putBelow(48)
    expect((await ben.call(listFolders)).find(({ id }) => id === inner.id)?.level).toBe(49)
    // Moving up is possible at any depth.
    await ben.call(updateFolder, { params: { id: inner.id }, body: { parent_id: null } })
  })

  test('that are deleted leave their files at the root and their folders one level up, with names of their own', async () => {
    const ben = await memberOf(library())
    const top = await make(ben, 'Top')
    await make(ben, 'Beach', top)
    await make(ben, 'Beach (2)', top)
    const doomed = await make(ben, 'Doomed', top)
    const inner = await make(ben, 'BEACH', doomed)
    await make(ben, 'Deep', inner)
    await make(ben, 'Quiet', doomed)
    await make(ben, 'l'.repeat(100), top)
    await make(ben, 'L'.repeat(100), doomed)
    const [inDoomed] = [await uploadFile(ben, { name: 'doomed.jpg', folderId: doomed.id })]
    const inInner = await uploadFile(ben, { name: 'inner.jpg', folderId: inner.id })
    await ben.call(deleteFolder, { params: { id: doomed.id } })
    expect(await paths(ben, 'Top')).toEqual(
      [
        'Top',
        'Top / Beach',
        'Top / Beach (2)',
        'Top / BEACH (3)',
        'Top / BEACH (3) / Deep',
        `Top / ${'l'.repeat(100)}`,
        `Top / ${'L'.repeat(96)} (2)`,
        'Top / Quiet',
      ].toSorted(new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare),
    )
    const inRoot = await ben.call(listMedia, { query: { folder_id: 'root' } })
    expect(inRoot.files.map(file => file.id)).toContain(inDoomed.id)
    expect((await ben.call(listMedia, { query: { folder_id: inner.id } })).files).toMatchObject([{ id: inInner.id }])
    await expect(ben.call(deleteFolder, { params: { id: doomed.id } })).rejects.toMatchObject({ status: 404 })
  })

  test('with many files are emptied in several transactions, so that others can write in between', async () => {
    const ben = await memberOf(library())
    const large = await make(ben, 'Large')
    const files = Array.from({ length: 2 * bulkChanges.files + 10 }, (_, i) => ({ name: `${i}.jpg`, folder: large.id }))
    await insertMedia(library(), files)
    const inRoot = async () => (await ben.call(mediaStats, { query: { folder_id: 'root' } })).total
    const before = await inRoot()
    let hasEnded = false
    const deletion = ben.call(deleteFolder, { params: { id: large.id } }).finally(() => (hasEnded = true))
    const moved = new Set<number>()
    while (!hasEnded) {
      moved.add((await inRoot()) - before)
    }
    await deletion
    expect([...moved].some(count => count > 0 && count < files.length)).toBe(true)
    expect(await inRoot()).toBe(before + files.length)
    const [line] = await library().rows(
      `select before from audit_log where action = 'folder.delete' order by id desc limit 1`,
    )
    expect(JSON.parse(String(line?.before))).toMatchObject({ name: 'Large', files: files.length })
  })

  test('that bear the name of the folder they are in take its place when it is deleted', async () => {
    const ben = await memberOf(library())
    const outer = await make(ben, 'Matryoshka')
    const inner = await make(ben, 'Matryoshka', outer)
    await make(ben, 'MATRYOSHKA', inner)
    await ben.call(deleteFolder, { params: { id: outer.id } })
    expect(await paths(ben, 'Matryoshka')).toEqual(['Matryoshka', 'Matryoshka / MATRYOSHKA'])
  })

  test('show what is below them: the number of files and the newest one as a cover', async () => {
    const ben = await memberOf(library())
    const travel = await make(ben, 'Travels')
    const [empty, norway] = [await make(ben, 'Empty', travel), await make(ben, 'Norway', travel)]
    const oslo = await make(ben, 'Oslo', await make(ben, 'Cities', norway))
    await make(ben, 'Elsewhere')
    await uploadFile(ben, { name: 'travels.jpg', folderId: travel.id })
    const photos = [
      await uploadFile(ben, { name: '20190101_120000.jpg', folderId: norway.id }),
      await uploadFile(ben, { name: '20210101_120000.jpg', folderId: oslo.id }),
      await uploadFile(ben, { name: '20200101_120000.jpg', folderId: norway.id }),
    ]
    for (const { id } of photos) await untilPrepared(ben, id)
    const [first, newest] = await Promise.all(photos.map(({ id }) => ben.call(getMedia, { params: { id } })))
    const subfolders = () => ben.call(listSubfolders, { params: { id: travel.id } })
    expect(await subfolders()).toEqual([
      { id: empty.id, name: 'Empty', file_count: 0, cover: null },
      {
        id: norway.id,
        name: 'Norway',
        file_count: 3,
        cover: { thumbnail_url: newest?.thumbnail_url, thumbhash: newest?.thumbhash },
      },
    ])

    for (const { id } of photos.slice(1)) await ben.call(deleteMedia, { params: { id } })
    expect(await subfolders()).toMatchObject([{}, { file_count: 1, cover: { thumbnail_url: first?.thumbnail_url } }])
    expect(await ben.call(listSubfolders, { params: { id: oslo.id } })).toEqual([])
    await expect(ben.call(listSubfolders, { params: { id: gone } })).rejects.toMatchObject({ status: 404 })
  })

  test('by the thousand are listed at once', async () => {
    const ben = await memberOf(library())
    const parent = await make(ben, 'Thousand')
    const values = Array.from({ length: 3_000 }, (_, i) => `('f${i}', 'f${i}', 'f${i}', ${parent.id}, 0)`)
    await library().rows(
      `insert into folders (name, name_key, search_text, parent_id, created_at) values ${values.join()}`,
    )
    const before = process.cpuUsage()
    const folders = await ben.call(listFolders)
    if (process.env.LONG) expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
    expect(folders.filter(folder => folder.parent_id === parent.id)).toHaveLength(3_000)
    expect(await ben.call(listSubfolders, { params: { id: parent.id } })).toHaveLength(3_000)
  })
})

onBothEngines('two people at once', library => {
  const rounds = Array.from({ length: 8 }, (_, i) => i)

  test('who make the same folder make one', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    for (const round of rounds) {
      expect(await statuses([make(ben, `Same ${round}`), make(rose, `same ${round}`)])).toEqual([200, 409])
    }
  })

  test('who put two folders into each other make no ring', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    for (const round of rounds) {
      const [a, b] = [await make(ben, `Ring A${round}`), await make(ben, `Ring B${round}`)]
      const into = (person: SignedIn, folder: Folder, parent: Folder) =>
        person.call(updateFolder, { params: { id: folder.id }, body: { parent_id: parent.id } })
      expect(await statuses([into(ben, a, b), into(rose, b, a)])).toEqual([200, 409])
    }
    const names = (await ben.call(listFolders)).map(folder => folder.name)
    for (const round of rounds) expect(names).toEqual(expect.arrayContaining([`Ring A${round}`, `Ring B${round}`]))
  })

  describe('where one deletes a folder', () => {
    test('and the other moves files into it, lose none of them', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      for (const round of rounds) {
        const folder = await make(ben, `Trap ${round}`)
        const fileIds = await insertMedia(library(), [{ name: `trapped ${round} a` }, { name: `trapped ${round} b` }])
        const [deleted, moved] = await Promise.allSettled([
          ben.call(deleteFolder, { params: { id: folder.id } }),
          rose.call(moveFiles, { body: { fileIds, folderId: folder.id } }),
        ])
        expect(deleted.status).toBe('fulfilled')
        if (moved.status === 'rejected') expect(moved.reason).toMatchObject({ status: 404 })
        const { files } = await ben.call(listMedia, { query: { folder_id: 'root', search: `trapped ${round}` } })
        expect(files).toHaveLength(2)
      }
    })

    test('and the other uploads into it, or makes a folder in it, get a clear answer each', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      for (const round of rounds) {
        const folder = await make(ben, `Vanishing ${round}`)
        const answers = await statuses([
          ben.call(deleteFolder, { params: { id: folder.id } }),
          uploadFile(rose, { name: `vanishing ${round}.jpg`, folderId: folder.id }),
          make(rose, `inner ${round}`, folder),
        ])
        expect(answers[0]).toBe(200)
        for (const status of answers) expect([200, 404]).toContain(status)
      }
      const { count, stats, files } = await ben.call(listMedia, { query: {} })
      expect(count).toBe(files.length)
      expect(stats.total).toBe(files.length)
      expect(files.filter(file => file.folder_id !== null)).toEqual([])
    })
  })
})
