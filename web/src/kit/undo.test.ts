import { expect, test } from 'vitest'
import { ApiError } from './api.ts'
import { runUndoSteps, uncounted, undoStep, undoStepsFor } from './undo.ts'

const ids = Array.from({ length: 2_500 }, (_, i) => i)
const refuse = (status: number) => async () => {
  throw new ApiError(status, 'conflict', 'It has been renamed since.')
}

test('a large batch is undone in pieces, with progress in between', async () => {
  const pieces: number[] = []
  const progress: number[] = []
  const steps = undoStepsFor(ids, async some => pieces.push(some.length) && some.length)
  expect(await runUndoSteps(steps, (done, total) => progress.push(done / total))).toMatchObject({
    changed: 2_500,
    missed: 0,
  })
  expect(pieces).toEqual([1_000, 1_000, 500])
  expect(progress).toEqual([0.4, 0.8])
})

test('what others changed since is left alone and counted', async () => {
  const steps = [...undoStepsFor(ids, async some => some.length - 1), undoStep(refuse(404))]
  expect(await runUndoSteps(steps)).toMatchObject({ changed: 2_497, missed: 4 })
})

test('an undo that changes nothing, or that the server fails, is an error', async () => {
  await expect(runUndoSteps([undoStep(refuse(409))])).rejects.toThrow('It has been renamed since.')
  await expect(runUndoSteps([undoStep(refuse(503)), undoStep(async () => {})])).rejects.toMatchObject({ status: 503 })
})

test('an undo that fails halfway says what was changed before', async () => {
  const [first, , last] = undoStepsFor(ids, async some => some.length - 1)
  const failing = { size: 1_000, run: refuse(503) }
  expect(await runUndoSteps([first, failing, last].filter(step => step !== undefined))).toEqual({
    changed: 999,
    missed: 1,
    unfinished: 1_500,
    error: expect.objectContaining({ status: 503 }),
  })
})

test('what may not have been changed at all is undone without being counted as missed', async () => {
  const undone: number[] = []
  const possible = undoStepsFor(ids, async some => undone.push(...some) && some.length).map(uncounted)
  const steps = [undoStep(async () => {}), ...possible, uncounted({ size: 1_000, run: refuse(404) })]
  expect(await runUndoSteps(steps)).toEqual({ changed: 1, missed: 0, unfinished: 0 })
  expect(undone).toEqual(ids)

  const unreachable = uncounted({ size: 1_000, run: refuse(503) })
  expect(await runUndoSteps([undoStep(async () => {}), unreachable])).toMatchObject({ changed: 1, unfinished: 1 })
})
