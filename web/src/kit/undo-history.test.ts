import { afterEach, expect, test, vi } from 'vitest'
import { forgetUndo, recordUndo, undoEntry, undoHistory, undoLast } from './undo-history.ts'

afterEach(() => forgetUndo())

/** Something that was done; `end` ends its Undo. */
function done(what: string) {
  const over = Promise.withResolvers<boolean>()
  const undo = vi.fn(() => over.promise)
  recordUndo({ what, changeId: 7, undo, dismiss: vi.fn() })
  return { undo, end: over.resolve }
}

test('is undone once, and known until that is over', async () => {
  const [first, second] = [done('first'), done('second')]
  const [entry] = undoHistory()
  const undone = undoEntry(entry?.id ?? 0)
  await undoEntry(entry?.id ?? 0)
  void undoLast()
  expect(second.undo).toHaveBeenCalledOnce()
  expect(first.undo).toHaveBeenCalledOnce()
  expect(undoHistory()).toMatchObject([{ what: 'second', changeId: 7, undoing: true }, { undoing: true }])
  second.end(true)
  await undone
  expect(undoHistory()).toMatchObject([{ what: 'first' }])
})

test('can be tried again where it was not over, unless it was forgotten in between', async () => {
  const { end } = done('moved')
  const undone = undoLast()
  end(false)
  await undone
  expect(undoHistory()).toMatchObject([{ what: 'moved', undoing: false }])

  const other = done('turned')
  const undoneLater = undoLast()
  // As when the session ends.
  forgetUndo()
  other.end(false)
  await undoneLater
  expect(undoHistory()).toEqual([])
})
