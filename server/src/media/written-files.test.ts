import { describe, expect, test } from 'vitest'
import { getMedia, listMedia, MediaFile } from '#contract/media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { plant, withDatabase } from '../../test/fixtures/plant.ts'
import { onBothEngines } from '../../test/library.ts'
import type { NewMedia } from '../db/schema.ts'
import { insertParts, updateMedia } from './media.sql.ts'
import { createWrittenFiles } from './written-files.ts'

/** Every column that a list shows, and the values it is changed to one after the other. */
const changes: Partial<NewMedia>[] = [
  { original_name: 'Łódź "1" 東京.jpg' },
  { file_type: 'video' },
  { mime_type: 'video/mp4' },
  { file_size: 5_000_000_000 },
  { uploaded_at: 1_700_000_000_123 },
  { width: 4_032 },
  { height: 3_024 },
  { duration: 12.345678901234567 },
  { taken_local: 1_600_000_000_000 },
  { taken_offset: -90 },
  { date_sort: 1_600_000_000_500 },
  { latitude: 48.13715412345678 },
  { longitude: -0.1 - 0.2 },
  { location: 'Zürich\n"Altstadt"' },
  { camera: 'Canon \\ EOS' },
  { thumbhash: 'k0oGLQaSVsJ0hVhn2oq2Z5SQUQcZ' },
  { status: 'processing', progress: 10 },
  { progress: 11 },
  { status: 'failed', failure_reason: 'It is no picture.' },
  { hash: 'f'.repeat(64) },
  { shown_part: 'original' },
  { animated: 1 },
  { partly_damaged: 1 },
  { playback_type: 'video/webm; codecs="vp09.00.40.08, opus"' },
  { compatible_progress: 5 },
  { compatible_progress: null, compatible_failure: 'It could not be converted.' },
]

onBothEngines('a page of files', library => {
  test('shows each file as it is now, whatever of it has changed since the page before', async () => {
    const ben = await memberOf(library())
    const [id = 0, other = 0] = await plant(library(), [{ name: 'one.jpg' }, { name: 'other.jpg' }])
    const listed = async (wanted: number) =>
      (await ben.call(listMedia, { query: {} })).files.find(file => file.id === wanted)
    const byItself = async (wanted: number) => MediaFile.parse(await ben.call(getMedia, { params: { id: wanted } }))
    const otherBefore = await listed(other)

    await withDatabase(library(), async db => {
      for (const change of changes) {
        const before = await listed(id)
        await db.transaction(tx => updateMedia(tx, id, change))
        const now = await listed(id)
        expect(now, JSON.stringify(change)).not.toEqual(before)
        expect(now).toEqual(await byItself(id))
      }
      const thumbnail = { kind: 'thumbnail', key: 'variants/2024/01/one~aaaaaaaa/thumbnail-v1.jpg' } as const
      const facts = { size: 10, mime_type: 'image/jpeg', width: 300, height: 200 }
      await db.transaction(tx => insertParts(tx, [{ media_id: id, ...thumbnail, ...facts }]))
      expect((await listed(id))?.thumbnail_url).toContain('one~aaaaaaaa/thumbnail-v1.jpg')
      expect(await listed(other)).toEqual(otherBefore)

      await db.query.updateTable('people').set({ name: 'Ada Lovelace' }).execute()
      for (const file of [await listed(id), await listed(other)]) expect(file?.uploaded_by?.name).toBe('Ada Lovelace')
    })
  })
})

describe('a file that is written', () => {
  const MINUTE = 60_000

  function files() {
    const state = { now: 0, signed: 0 }
    const storage = { signedUrl: (key: string) => `/files/${key}?${++state.signed}` }
    const written = createWrittenFiles({ storage, clock: () => state.now })
    return { state, of: (id: number, name = 'a.jpg') => written.of({ id, text: textOf(id, name) }).toString() }
  }

  /** As the database gives it. */
  function textOf(id: number, name: string): string {
    const row = [id, name, 'image', 'image/jpeg', 10, 'ab', 0, 1, null, 4, 3, null, null, null, null, null, null, null]
    const rest = [null, null, null, 'ready', null, null, 0, name, '', '', 0, null, null, null, 0]
    return JSON.stringify([[...row, ...rest], { original: `originals/${id}.jpg` }, [1, 'ada', 'Ada Okafor']])
  }

  test('is written once, and anew when it is another', () => {
    const { state, of } = files()
    const first = of(1)
    expect(JSON.parse(first)).toMatchObject({ id: 1, original_name: 'a.jpg', uploaded_by: { name: 'Ada Okafor' } })
    expect([of(1), state.signed]).toEqual([first, 1])
    expect(JSON.parse(of(1, 'b.jpg'))).toMatchObject({ original_name: 'b.jpg' })
    expect([JSON.parse(of(1)).original_name, state.signed]).toEqual(['a.jpg', 3])
  })

  test('is written anew long before its addresses run out', () => {
    const { state, of } = files()
    of(1)
    state.now = 5 * MINUTE - 1
    of(1)
    expect(state.signed).toBe(1)
    state.now = 5 * MINUTE
    of(1)
    expect(state.signed).toBe(2)
  })

  test('is forgotten when two thousand others were asked for since', () => {
    const { state, of } = files()
    for (let id = 1; id <= 2_000; id++) of(id)
    of(1)
    of(2_001)
    expect(state.signed).toBe(2_001)
    of(1)
    expect(state.signed).toBe(2_001)
    of(2)
    expect(state.signed).toBe(2_002)
  })
})
