import { undoChange } from '#contract/changes.ts'
import { ApiError, call } from './api.ts'

/** A call that changes several things back. Large batches have many, so that each takes a moment only. */
export interface UndoStep {
  size: number
  /** Resolves to how many of them it changed; others may have changed the rest since. */
  run: () => Promise<number>
  /** Of the change that it undoes, if the server remembers it. */
  changeId?: number
}

/** A step for a single thing. */
export function undoStep(run: () => Promise<unknown>): UndoStep {
  const runOne = async () => {
    await run()
    return 1
  }
  return { size: 1, run: runOne }
}

/** Of what may not have been changed at all: it is not said how much of it was undone. */
export function uncounted({ run, ...step }: UndoStep): UndoStep {
  return { ...step, size: 0, run: () => run().then(() => 0) }
}

/** What a change that the server remembers has answered. */
export interface Changed {
  changed: number
  change_id: number | null
}

/** The server undoes all files of a change at once. It may undo more than is known to have changed, if an answer was lost. */
export function undoOfChange({ changed, change_id }: Changed): UndoStep[] {
  if (change_id === null || changed === 0) return []
  const run = async () => Math.min(changed, (await call(undoChange, { params: { id: change_id } })).restored)
  return [{ size: changed, run, changeId: change_id }]
}

const STEP_SIZE = 1_000

export function undoStepsFor(ids: readonly number[], run: (ids: number[]) => Promise<number>): UndoStep[] {
  const steps: UndoStep[] = []
  for (let start = 0; start < ids.length; start += STEP_SIZE) {
    const some = ids.slice(start, start + STEP_SIZE)
    steps.push({ size: some.length, run: () => run(some) })
  }
  return steps
}

export interface UndoResult {
  changed: number
  /** What others changed since (404, 409); it is left as it is. */
  missed: number
  /** What was not tried any more, or without success, because of `error`. At least one if there is an error. */
  unfinished: number
  error?: unknown
}

/** Runs the steps one after the other, until one fails. Throws if nothing was changed because of an error. */
export async function runUndoSteps(
  steps: readonly UndoStep[],
  onProgress: (done: number, total: number) => void = () => {},
): Promise<UndoResult> {
  const total = steps.reduce((sum, { size }) => sum + size, 0)
  let [done, changed] = [0, 0]
  let refusal: ApiError | undefined
  for (const { size, run } of steps) {
    if (done > 0) onProgress(done, total)
    try {
      changed += await run()
    } catch (error) {
      if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) {
        if (changed === 0) throw error
        return { changed, missed: done - changed, unfinished: Math.max(1, total - done), error }
      }
      refusal = error
    }
    done += size
  }
  if (changed === 0 && refusal !== undefined) throw refusal
  return { changed, missed: total - changed, unfinished: 0 }
}
