import { expect, test } from 'vitest'
import { addToAlbum, createAlbum } from '#contract/albums.ts'
import { changeDates } from '#contract/dates.ts'
import { mediaGrid, readGrid } from '#contract/grid.ts'
import { timeline } from '#contract/media-list.ts'
import { makeLink, openedBy } from '../../test/fixtures/guests.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { onBothEngines } from '../../test/library.ts'

onBothEngines('dates of which two have the same heading', library => {
  test('are groups of their own in the gallery, in an album and for guests', async () => {
    const ben = await memberOf(library())
    const names = ['sixties.jpg', 'third of May.jpg', 'between.jpg']
    const fileIds = await insertMedia(
      library(),
      names.map(name => ({ name, camera: 'twice-the-sixties' })),
    )
    const dates = ['196X', '1966-05-03', '1964/1970']
    for (const [i, edtf] of dates.entries()) {
      await ben.call(changeDates, { body: { fileIds: [fileIds[i] ?? 0], change: { kind: 'set', edtf } } })
    }
    const { id: album } = await ben.call(createAlbum, { body: { title: 'The sixties' } })
    await ben.call(addToAlbum, { params: { id: album }, body: { fileIds: fileIds.toReversed() } })

    for (const filter of [{ search: 'twice-the-sixties' }, { album }]) {
      for (const order of ['asc', 'desc'] as const) {
        const query = { ...filter, sort: 'date', order } as const
        const { days } = await ben.call(timeline, { query })
        expect(days.map(([, files, day]) => [day, files])).toEqual([
          ['196X', 1],
          ['1966-05-03', 1],
          ['196X', 1],
        ])
        const expected = order === 'asc' ? fileIds : fileIds.toReversed()
        for (const [i, [key]] of days.entries()) {
          const page = readGrid(await ben.call(mediaGrid, { query: { ...query, from: key, to: key } }))
          expect(page.map(({ id }) => id)).toEqual([expected[i]])
        }
      }
    }
    const guest = await openedBy(library(), await makeLink(ben, { fileIds }))
    const { files } = await guest.files()
    expect(files.map(({ id, date }) => [id, date])).toEqual(fileIds.map((id, i) => [id, dates[i]]))
  })
})
