import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type ExternalToast, toast } from 'sonner'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { toast as toastTimes } from '#contract/limits.ts'
import { ApiError, call } from './api.ts'
import { type Change, invalidate } from './changes.ts'
import { Mutex } from './mutex.ts'
import { callInParts, type PartlyDone, type Parts, stoppedInWords } from './parts.ts'
import { texts } from './texts.ts'
import { runUndoSteps, type UndoStep, uncounted } from './undo.ts'

interface ActionOptions<E extends Endpoint> {
  /** The success toast; omitted where the change is visible on the page. */
  success?: string | ((answer: Answer<E>, input: CallInput<E>) => string)
  /** The error toast; the server's message is shown below it. */
  failure: string
  /**
   * What the call changes on the server; the queries that this makes stale are fetched again. Also after a failure,
   * which may mean that someone else changed it first.
   */
  changes: readonly Change[] | ((input: CallInput<E>) => readonly Change[])
  /**
   * The steps that undo it; none where there is nothing to undo. It sees the values of the render in which `run` was
   * called: the old ones.
   */
  undo?: (answer: Answer<E>, input: CallInput<E>) => readonly UndoStep[]
  /** A second button of the success toast, which leads to the result. */
  open?: (answer: Answer<E>) => { label: string; onClick: () => void }
  /** For a change of more files than one call takes. */
  parts?: Parts<E>
  /** Called with the response, before the stale queries are fetched again. */
  whenDone?: (answer: Answer<E>) => void
}

/** For a single call, if its undo or its end needs more than the input. */
type RunOptions<E extends Endpoint> = Pick<ActionOptions<E>, 'undo' | 'open' | 'whenDone'>

interface QueuedCall<E extends Endpoint> extends RunOptions<E> {
  input: CallInput<E>
}

/** The hook for every mutation: calls the endpoint, shows a toast, and stays busy until stale queries are fetched again. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { success, failure, changes, parts, ...options }: ActionOptions<E>,
) {
  const client = useQueryClient()
  const inFlight = useRef(new Set<string>())
  // Of two changes to the same object the later one wins.
  const [mutex] = useState(() => new Mutex())
  const invalidateFor = (input: CallInput<E>) =>
    invalidate(client, ...(typeof changes === 'function' ? changes(input) : changes))

  async function undoSteps(input: CallInput<E>, steps: readonly UndoStep[]): Promise<void> {
    await undoWithToast(steps.map(({ size, run }) => ({ size, run: () => mutex.run(run) })))
    await invalidateFor(input)
  }

  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ input }: QueuedCall<E>) =>
      mutex.run(async (): Promise<PartlyDone<E>> => {
        if (parts && parts.ids(input).length > parts.size) {
          return withProgressToast(texts.doing, onProgress => callInParts(endpoint, input, parts, onProgress))
        }
        return { answer: await call(endpoint, input) }
      }),
    onSuccess: ({ answer, stopped }, { input, undo, open, whenDone }) => {
      const lost = stopped?.ifDone === undefined ? [] : (undo?.(stopped.ifDone, input) ?? [])
      const steps = [...(undo?.(answer, input) ?? []), ...lost.map(uncounted)]
      const message = typeof success === 'function' ? success(answer, input) : success
      const action = steps.length > 0 ? undoButton(() => void undoSteps(input, steps)) : {}
      if (stopped) showFailure(`${failure}. ${stoppedInWords(stopped)}`, stopped.error, action)
      else if (message !== undefined) toast.success(message, open ? { ...action, cancel: open(answer) } : action)
      whenDone?.(answer)
      return invalidateFor(input)
    },
    // Not awaited: the person can correct the input and retry at once.
    onError: (error, { input }) => {
      showFailure(failure, error)
      void invalidateFor(input)
    },
  })

  /** Resolves to whether it worked. Deduplicates: a call whose input is already in flight is ignored (double click). */
  async function run(input: CallInput<E>, own: RunOptions<E> = {}): Promise<boolean> {
    const name = JSON.stringify(input)
    if (inFlight.current.has(name)) return false
    inFlight.current.add(name)
    const worked = mutateAsync({ ...options, ...own, input }).then(
      ({ stopped }) => stopped === undefined,
      () => false,
    )
    return worked.finally(() => inFlight.current.delete(name))
  }

  return { run, busy: isPending }
}

/** Options of a toast that offers Undo, and stays long enough to be read and reached. */
export function undoButton(onClick: () => void): ExternalToast {
  return { action: { label: texts.undo, onClick }, duration: toastTimes.durationWithUndo }
}

/** Says what could not be undone because somebody changed it since. */
async function undoWithToast(steps: readonly UndoStep[]): Promise<void> {
  try {
    const result = await withProgressToast(texts.undoing, onProgress => runUndoSteps(steps, onProgress))
    const { changed, missed, unfinished, error } = result
    if (unfinished > 0) showFailure(texts.undoneInPart({ changed, unfinished }), error)
    else if (missed === 0) toast.success(texts.undone)
    else toast.warning(texts.undoneExcept({ count: missed }))
  } catch (error) {
    showFailure(texts.undoFailed, error)
  }
}

/** A toast that says how far something is, while it goes on. */
async function withProgressToast<T>(
  text: (progress: { done: number; total: number }) => string,
  run: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  let id: string | number | undefined
  try {
    return await run((done, total) => {
      id = toast.loading(text({ done, total }), id === undefined ? {} : { id })
    })
  } finally {
    if (id !== undefined) toast.dismiss(id)
  }
}

/** The error toast of every action. None when the session has ended: the login page follows. */
export function showFailure(failure: string, error: unknown, options: ExternalToast = {}): void {
  const signedOut = error instanceof ApiError && error.status === 401
  if (!signedOut) toast.error(failure, { description: describeError(error), ...options })
}

function describeError(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined
}
