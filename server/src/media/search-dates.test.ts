import { expect, test } from 'vitest'
import { createAlbum, getAlbum } from '#contract/albums.ts'
import { changeDates } from '#contract/dates.ts'
import { createFolder } from '#contract/folders.ts'
import { mediaGrid, readGrid } from '#contract/grid.ts'
import { deleteMedia } from '#contract/media.ts'
import { listMedia, mediaIds, mediaSuggestions, timeline } from '#contract/media-list.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { onBothEngines } from '../../test/library.ts'

onBothEngines('a search that names a date', library => {
  test('finds the files from then and those with these words, in every kind of list', async () => {
    const ben = await memberOf(library())
    const folder = await ben.call(createFolder, { body: { name: 'Summer 1974' } })
    const names = ['swim', 'year', 'sixties', 'between', 'october', 'old', 'before', 'christmas', 'summer-1974.copy']
    const ids = await insertMedia(library(), [
      ...names.map(name => ({ name: `${name}.jpg` })),
      { name: 'in-folder.jpg', folder: folder.id },
    ])
    const [swim = 0, year = 0, sixties = 0, between = 0, october = 0, old = 0, before = 0, christmas = 0] = ids
    const [named = 0, inFolder = 0] = ids.slice(names.length - 1)
    const dates = ['1974-07-02', '1974', '196X', '1964/1970', '1966-10', '1931-05', '../1938', '1974-12-25']
    for (const [i, edtf] of dates.entries()) {
      await ben.call(changeDates, { body: { fileIds: [ids[i] ?? 0], change: { kind: 'set', edtf } } })
    }
    const found = async (search: string) => {
      const query = { search }
      const { ids: listed } = await ben.call(mediaIds, { query })
      const { files, count } = await ben.call(listMedia, { query: { ...query, limit: 50 } })
      const grid = readGrid(await ben.call(mediaGrid, { query }))
      const { total } = await ben.call(timeline, { query })
      expect([files.map(file => file.id), grid.map(file => file.id)]).toEqual([listed, listed])
      expect([count, total]).toEqual([listed.length, listed.length])
      return listed.toSorted((a, b) => a - b)
    }
    const sorted = (...expected: number[]) => expected.toSorted((a, b) => a - b)
    expect(await found('summer 1974')).toEqual(sorted(swim, named, inFolder))
    expect(await found('Summer of 1974')).toEqual(sorted(swim))
    expect(await found('1974')).toEqual(sorted(swim, year, christmas, named, inFolder))
    expect(await found('the 60s')).toEqual(sorted(sixties, between, october))
    expect(await found('October 1966')).toEqual([october])
    expect(await found('Oktober 1966')).toEqual([october])
    expect(await found('before 1939')).toEqual(sorted(old, before))
    expect(await found('between 1930 and 1935')).toEqual([old])
    expect(await found('about 1931')).toEqual([old])
    expect(await found('christmas 1974')).toEqual([christmas])
    // Of any year, or called so.
    expect(await found('October')).toEqual([october])
    expect(await found('december')).toEqual([christmas])
    expect(await found('juli')).toEqual([swim])
    expect(await found('may')).toEqual([old])
    expect(await found('dec')).toEqual([])
    expect(await found('3/4/1974')).toEqual([])
    // German, too, whatever the language of the page.
    expect(await found('im Sommer 1974')).toEqual(sorted(swim))
    expect(await found('die 60er')).toEqual(sorted(sixties, between, october))
    expect(await found('in den Sechzigern')).toEqual(sorted(sixties, between, october))
    expect(await found('vor 1939')).toEqual(sorted(old, before))
    expect(await found('zwischen 1930 und 1935')).toEqual([old])
    expect(await found('um 1931')).toEqual([old])
    expect(await found('Weihnachten 1974')).toEqual([christmas])
    expect(await found('2. Juli 1974')).toEqual([swim])
    expect(await found('Dezember')).toEqual([christmas])

    const smart = await ben.call(createAlbum, { body: { title: 'Smart', search: { search: 'summer 1974' } } })
    expect(await ben.call(getAlbum, { params: { id: smart.id } })).toMatchObject({ file_count: 3 })
    expect((await ben.call(mediaIds, { query: { album: smart.id } })).ids).toHaveLength(3)
    const before39 = await ben.call(createAlbum, { body: { title: 'Alte Fotos', search: { search: 'vor 1939' } } })
    expect((await ben.call(mediaIds, { query: { album: before39.id } })).ids).toHaveLength(2)

    const ofYear = async (value: number) =>
      (await ben.call(mediaIds, { query: { year: value } })).ids.toSorted((a, b) => a - b)
    expect(await ofYear(1966)).toEqual(sorted(sixties, between, october))
    expect(await ofYear(1970)).toEqual([between])
    expect(await ofYear(1971)).toEqual([])
    // "Before 1939" would be in every year.
    expect(await ofYear(1931)).toEqual([old])
    const years = async () => {
      const { year } = await ben.call(mediaSuggestions)
      return year.filter(({ value }) => Number(value) < 2000).map(({ value, count }) => [value, count])
    }
    expect(await years()).toEqual([
      [1974, 3],
      [1966, 3],
      [1931, 1],
    ])
    // Every page that the timeline of a year names has exactly its files.
    for (const order of ['asc', 'desc'] as const) {
      const query = { year: 1966, order }
      for (const [key, files, text] of (await ben.call(timeline, { query })).days) {
        const page = readGrid(await ben.call(mediaGrid, { query: { ...query, from: key, to: key } }))
        expect(page.map(tile => tile.day)).toEqual(Array(files).fill(text))
      }
    }
    await ben.call(deleteMedia, { params: { id: sixties } })
    expect(await ofYear(1966)).toEqual(sorted(between, october))
    expect(await years()).toContainEqual([1966, 2])
  })
})
