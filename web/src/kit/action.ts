import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type ExternalToast, toast } from 'sonner'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { toast as toastTimes } from '#contract/limits.ts'
import { ApiError, call } from './api.ts'
import { type Change, invalidate } from './changes.ts'
import { Mutex } from './mutex.ts'
import { sendOrWait } from './outbox/page-outbox.ts'
import { texts as outboxTexts } from './outbox/texts.ts'
import { callInParts, type PartlyDone, type Parts, stoppedInWords } from './parts.ts'
import { texts } from './texts.ts'
import { readToken } from './token.ts'
import { runUndoSteps, type UndoStep, uncounted } from './undo.ts'
import { recordUndo } from './undo-history.ts'

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
  /**
   * The call is idempotent and waits in the outbox while the server cannot be reached, with what this returns for the place
   * that shows it. `stored` is called as soon as a killed page would lose nothing.
   */
  waits?: (input: CallInput<E>) => { shown?: unknown; stored?: () => void }
  /** Called with the response, before the stale queries are fetched again. */
  whenDone?: (answer: Answer<E>) => void
}

/** For a single call, if its undo or its end needs more than the input. */
type RunOptions<E extends Endpoint> = Pick<ActionOptions<E>, 'undo' | 'open' | 'whenDone'>

interface QueuedCall<E extends Endpoint> extends RunOptions<E> {
  input: CallInput<E>
}

/** The call waits in the outbox, or another tab has taken it from there. */
interface Queued {
  waits: boolean
}

/** The hook for every mutation: calls the endpoint, shows a toast, and stays busy until stale queries are fetched again. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { success, failure, changes, parts, waits, ...options }: ActionOptions<E>,
) {
  const client = useQueryClient()
  const inFlight = useRef(new Set<string>())
  // Of two changes to the same object the later one wins.
  const [mutex] = useState(() => new Mutex())
  const invalidateFor = (input: CallInput<E>) =>
    invalidate(client, ...(typeof changes === 'function' ? changes(input) : changes))

  async function undoSteps(input: CallInput<E>, what: string, steps: readonly UndoStep[]): Promise<boolean> {
    const isOver = await undoWithToast(
      what,
      steps.map(step => ({ ...step, run: () => mutex.run(step.run) })),
    )
    await invalidateFor(input)
    return isOver
  }

  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ input }: QueuedCall<E>) =>
      mutex.run(async (): Promise<PartlyDone<E> | Queued> => {
        if (parts && parts.ids(input).length > parts.size) {
          return withProgressToast(texts.doing, onProgress => callInParts(endpoint, input, parts, onProgress))
        }
        if (waits) return callOrWait(endpoint, input, waits(input))
        return { answer: await call(endpoint, input) }
      }),
    onSuccess: (done, { input, undo, open, whenDone }) => {
      if ('waits' in done) {
        // Not when the session has ended: the login page follows.
        if (done.waits && readToken() !== null) toast(outboxTexts.willBeSent, { id: waitsToast })
        return done.waits ? undefined : invalidateFor(input)
      }
      const { answer, stopped } = done
      const lost = stopped?.ifDone === undefined ? [] : (undo?.(stopped.ifDone, input) ?? [])
      const steps = [...(undo?.(answer, input) ?? []), ...lost.map(uncounted)]
      const message = typeof success === 'function' ? success(answer, input) : success
      const what = message ?? failure
      const changeId = steps[0]?.changeId ?? null
      const action = steps.length > 0 ? offerUndo(what, () => undoSteps(input, what, steps), changeId) : {}
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
      done => 'waits' in done || done.stopped === undefined,
      () => false,
    )
    return worked.finally(() => inFlight.current.delete(name))
  }

  return { run, busy: isPending }
}

async function callOrWait<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { shown, stored }: { shown?: unknown; stored?: () => void },
): Promise<PartlyDone<E> | Queued> {
  const sending = sendOrWait(endpoint, input, shown)
  void sending.stored.then(isStored => isStored && stored?.())
  const outcome = await sending.settled
  if (outcome.status === 'refused') throw outcome.error
  if (outcome.status === 'sent' && outcome.answer !== undefined) return { answer: outcome.answer }
  return { waits: outcome.status === 'waiting' }
}

/** One message for all that waits. */
const waitsToast = 'outbox-waits'

let toasts = 0

/**
 * Options of a toast that offers Undo, and stays long enough to be read and reached. Afterwards Ctrl+Z and the last changes
 * offer the same. `undo` resolves to whether it is over.
 */
export function offerUndo(
  what: string,
  undo: () => Promise<boolean>,
  changeId: number | null = null,
  id: string = `undo-${++toasts}`,
): ExternalToast {
  const undoOnce = recordUndo({ what, changeId, undo, dismiss: () => toast.dismiss(id) })
  return { id, action: { label: texts.undo, onClick: () => void undoOnce() }, duration: toastTimes.durationWithUndo }
}

/** Says what was undone, and what could not be because somebody changed it since. Resolves to false if it can be tried again. */
async function undoWithToast(what: string, steps: readonly UndoStep[]): Promise<boolean> {
  try {
    const result = await withProgressToast(texts.undoing, onProgress => runUndoSteps(steps, onProgress))
    const { changed, missed, unfinished, error } = result
    if (unfinished > 0) showFailure(texts.undoneInPart({ changed, unfinished }), error)
    else if (missed === 0) toast.success(texts.undone, { description: what })
    else toast.warning(texts.undoneExcept({ count: missed }), { description: what })
    return unfinished === 0
  } catch (error) {
    showFailure(texts.undoFailed, error)
    return error instanceof ApiError && [404, 409].includes(error.status)
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
