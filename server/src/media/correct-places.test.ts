import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { undoChange } from '#contract/changes.ts'
import { deleteMedia, getMedia } from '#contract/media.ts'
import { listMedia, mediaIds } from '#contract/media-list.ts'
import { correctPlaces, listPlaces, mapClusters } from '#contract/places.ts'
import { insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'
import { keepCorrectedPlace } from './place-corrections.sql.ts'

const undo = (person: SignedIn, { change_id }: { change_id: number | null }) =>
  person.call(undoChange, { params: { id: change_id ?? 0 } })

const lisbon = { latitude: 38.7169, longitude: -9.1399 }
const kyoto = { latitude: 35.0116, longitude: 135.7681 }

onBothEngines('a corrected place', library => {
  test('of more files than one call takes is one change, which is undone as one', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const [a = 0, b = 0] = await insertMedia(library(), [{ name: 'first.jpg' }, { name: 'second.jpg' }])
    const { change_id } = await ben.call(correctPlaces, { body: { fileIds: [a], place: lisbon } })
    const next = { fileIds: [b], place: lisbon, continues: change_id }
    await expect(rose.call(correctPlaces, { body: next })).rejects.toMatchObject({ status: 409 })
    expect(await ben.call(correctPlaces, { body: next })).toMatchObject({ changed: 1, change_id })
    expect(await undo(ben, { change_id })).toEqual({ restored: 2 })
    expect((await ben.call(getMedia, { params: { id: b } })).location).toBeNull()
  })

  test('is set for many files, says who set it and what the camera said, and is undone at once', async () => {
    const [ben, rose, ada] = [await memberOf(library()), await memberOf(library(), 'rose'), await library().admin()]
    const [placed = 0, bare = 0, gone = 0] = await insertMedia(library(), [
      { name: 'placed.jpg', latitude: 60.39, longitude: 5.32, location: 'Bergen, Norway' },
      { name: 'bare.jpg' },
      { name: 'gone.jpg' },
    ])
    await ben.call(deleteMedia, { params: { id: gone } })
    const body = { fileIds: [placed, bare, gone], place: lisbon }
    const changed = await ben.call(correctPlaces, { body })
    expect(changed).toMatchObject({ changed: 2, location: expect.stringMatching(/Lisbon, Portugal$/) })
    const details = (id: number) => ben.call(getMedia, { params: { id } })
    expect(await details(placed)).toMatchObject({
      ...lisbon,
      location: changed.location,
      place_correction: {
        by: { username: 'ben' },
        camera: { latitude: 60.39, longitude: 5.32, location: 'Bergen, Norway' },
      },
      undoable: [{ id: changed.change_id, kind: 'media.place', files: 2 }],
    })
    expect((await details(bare)).place_correction?.camera).toBeNull()
    const found = await ben.call(listMedia, { query: { search: 'portugal', limit: 10 } })
    expect(found.files.map(file => file.id).toSorted((a, b) => a - b)).toEqual([placed, bare])
    expect((await ben.call(listPlaces)).map(({ name, count }) => [name, count])).toEqual([['Portugal', 2]])
    const clusters = await ben.call(mapClusters, { query: { bounds: '-180,-90,180,90', zoom: 3 } })
    expect(clusters.map(({ count }) => count)).toEqual([2])
    const [line] = await ada.call(listActivity, { query: { media_id: placed } })
    expect(line).toMatchObject({
      act: 'media.place',
      before: { location: 'Bergen, Norway' },
      actor: { username: 'ben' },
    })

    // Somebody else corrects one of them again, which an undo leaves as it is.
    const again = await rose.call(correctPlaces, { body: { fileIds: [bare], place: kyoto } })
    await expect(undo(rose, changed)).rejects.toMatchObject({ status: 404 })
    expect(await undo(ben, changed)).toEqual({ restored: 1 })
    expect(await details(placed)).toMatchObject({ latitude: 60.39, location: 'Bergen, Norway', place_correction: null })
    expect(await details(bare)).toMatchObject({ ...kyoto, place_correction: { by: { username: 'rose' } } })
    expect(await undo(rose, again)).toEqual({ restored: 1 })
    expect(await details(bare)).toMatchObject({
      ...lisbon,
      place_correction: { by: { username: 'ben' } },
      undoable: [{ id: changed.change_id, files: 1 }],
    })
    expect(await undo(ben, changed)).toEqual({ restored: 1 })
    expect(await details(bare)).toMatchObject({ latitude: null, place_correction: null, undoable: [] })
    expect((await ben.call(mediaIds, { query: { search: 'bergen' } })).ids).toEqual([placed])
  })

  test('can be cleared, and the place of the camera given back', async () => {
    const ben = await memberOf(library())
    const [id = 0] = await insertMedia(library(), [
      { name: 'cleared.jpg', latitude: 41.9, longitude: 12.5, location: 'Rome, Italy' },
    ])
    const details = () => ben.call(getMedia, { params: { id } })
    const unchanged = await ben.call(correctPlaces, { body: { fileIds: [id], place: 'camera' } })
    expect(unchanged).toMatchObject({ changed: 0 })
    expect(
      await library().rows(`select id from audit_log where action = 'media.place' and subject_id = ${id}`),
    ).toEqual([])
    expect(unchanged.change_id).toBeNull()
    await ben.call(correctPlaces, { body: { fileIds: [id], place: null } })
    expect(await details()).toMatchObject({ latitude: null, longitude: null, location: null })
    expect((await details()).place_correction?.camera?.location).toBe('Rome, Italy')
    const back = await ben.call(correctPlaces, { body: { fileIds: [id], place: 'camera' } })
    expect(await details()).toMatchObject({ latitude: 41.9, location: 'Rome, Italy', place_correction: null })
    await undo(ben, back)
    expect(await details()).toMatchObject({ latitude: null, place_correction: { by: { username: 'ben' } } })
  })

  test('of many files goes back to that of each camera, and is sorted by it', async () => {
    const ben = await memberOf(library())
    const ids = await insertMedia(
      library(),
      ['Žilina, Slovakia', 'Aarhus, Denmark', null].map(location => ({ name: 'many.jpg', location })),
    )
    await ben.call(correctPlaces, { body: { fileIds: ids, place: lisbon } })
    await ben.call(correctPlaces, { body: { fileIds: ids, place: 'camera' } })
    const sorted = await library().rows(`select location_sort from media where id in (${ids.join()}) order by id`)
    expect(sorted.map(row => row.location_sort)).toEqual(['zilina, slovakia', 'aarhus, denmark', ''])
    expect((await ben.call(mediaIds, { query: { search: 'zilina' } })).ids).toEqual(ids.slice(0, 1))
  })

  test('stays when the file is prepared again, and the camera’s place is kept beside it', async () => {
    const ben = await memberOf(library())
    const [id = 0] = await insertMedia(library(), [{ name: 'again.jpg' }])
    await ben.call(correctPlaces, { body: { fileIds: [id], place: lisbon } })
    const read = { latitude: 1, longitude: 2, location: 'Elsewhere', location_sort: 'elsewhere' }
    const kept = await withDatabase(library(), db => db.transaction(tx => keepCorrectedPlace(tx, id, read)))
    expect(kept).toMatchObject({ ...lisbon, location: expect.stringMatching(/Portugal$/) })
    expect(kept.location_sort).toMatch(/portugal$/)
    const { place_correction } = await ben.call(getMedia, { params: { id } })
    expect(place_correction?.camera).toEqual({ latitude: 1, longitude: 2, location: 'Elsewhere' })
  })

  test('is refused outside of the world', async () => {
    const ben = await memberOf(library())
    for (const place of [{ latitude: 91, longitude: 0 }, { latitude: 0, longitude: 181 }, { latitude: 0 }, 'nowhere']) {
      const { status } = await ben.fetch('/api/media/places', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ fileIds: [1], place }),
      })
      expect([place, status === 400 || status === 422]).toEqual([place, true])
    }
  })
})
