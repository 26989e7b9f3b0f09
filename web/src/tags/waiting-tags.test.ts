import { expect, test } from 'vitest'
import type { ShownCall } from '../kit/outbox/page-outbox.ts'
import { withWaiting } from './queries.ts'

let seq = 0

function waits(
  call: { kind: 'tag'; tag: string } | { kind: 'untag'; tag: string; tagId: number },
  file = 5,
): ShownCall {
  return { id: `call ${++seq}`, seq, person: 1, at: 0, state: 'waiting', files: [file], ...call }
}

const names = (calls: readonly ShownCall[]) =>
  withWaiting(5, [{ id: 1, name: 'Sea' }], calls)?.map(({ name, waiting }) => (waiting ? `${name} (waits)` : name))

test('tags that wait are shown with those of the server, in the order in which they were changed', () => {
  expect(names([])).toEqual(['Sea'])
  expect(names([waits({ kind: 'tag', tag: 'Boat' })])).toEqual(['Sea', 'Boat (waits)'])
  const removed = waits({ kind: 'untag', tag: 'Sea', tagId: 1 })
  expect(names([removed])).toEqual([])
  expect(names([removed, waits({ kind: 'tag', tag: 'sea' })])).toEqual(['sea (waits)'])
})

test('a tag that the file has already, or that is for another file, is not shown twice', () => {
  expect(names([waits({ kind: 'tag', tag: 'SEA' }), waits({ kind: 'tag', tag: 'Boat' }, 6)])).toEqual(['Sea'])
})

test('what waits is shown while the tags of the server are not known', () => {
  expect(withWaiting(5, undefined, [])).toBeUndefined()
  expect(withWaiting(5, undefined, [waits({ kind: 'tag', tag: 'Boat' })])).toHaveLength(1)
})
