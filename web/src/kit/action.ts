import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from 'sonner'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { ApiError, call } from './api.ts'
import { type Change, invalidate } from './changes.ts'
import { texts } from './texts.ts'
import { runUndoSteps, type UndoStep } from './undo.ts'

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
  /** Called with the response, before the stale queries are fetched again. */
  whenDone?: (answer: Answer<E>) => void
}

/** For a single call, if its undo or its end needs more than the input. */
type RunOptions<E extends Endpoint> = Pick<ActionOptions<E>, 'undo' | 'whenDone'>

interface QueuedCall<E extends Endpoint> extends RunOptions<E> {
  input: CallInput<E>
}

/** The hook for every mutation: calls the endpoint, shows a toast, and stays busy until stale queries are fetched again. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { success, failure, changes, ...options }: ActionOptions<E>,
) {
  const client = useQueryClient()
  const inFlight = useRef(new Set<string>())
  const lastCall = useRef<Promise<unknown>>(Promise.resolve())
  const invalidateFor = (input: CallInput<E>) =>
    invalidate(client, ...(typeof changes === 'function' ? changes(input) : changes))

  async function undoSteps(input: CallInput<E>, steps: readonly UndoStep[]): Promise<void> {
    await undoWithToast(steps.map(({ size, run }) => ({ size, run: () => inOrder(run) })))
    await invalidateFor(input)
  }

  /** Serialises the calls, so that of two changes to the same object the later one wins. */
  function inOrder<T>(run: () => Promise<T>): Promise<T> {
    const answer = lastCall.current.then(run)
    lastCall.current = answer.catch(() => {})
    return answer
  }

  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ input }: QueuedCall<E>) => inOrder(() => call(endpoint, input)),
    onSuccess: (answer, { input, undo, whenDone }) => {
      const steps = undo?.(answer, input) ?? []
      const message = typeof success === 'function' ? success(answer, input) : success
      const action = { label: texts.undo, onClick: () => void undoSteps(input, steps) }
      if (message !== undefined) toast.success(message, steps.length > 0 ? { action } : {})
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
      () => true,
      () => false,
    )
    return worked.finally(() => inFlight.current.delete(name))
  }

  return { run, busy: isPending }
}

/** Says how far it is, and what could not be undone because somebody changed it since. */
async function undoWithToast(steps: readonly UndoStep[]): Promise<void> {
  let id: string | number | undefined
  const showProgress = (done: number, total: number) => {
    id = toast.loading(texts.undoing(done, total), id === undefined ? {} : { id })
  }
  try {
    const { changed, missed, unfinished, error } = await runUndoSteps(steps, showProgress)
    if (unfinished > 0) showFailure(texts.undoneInPart(changed, unfinished), error)
    else if (missed === 0) toast.success(texts.undone)
    else toast.warning(texts.undoneExcept(missed))
  } catch (error) {
    showFailure(texts.undoFailed, error)
  } finally {
    if (id !== undefined) toast.dismiss(id)
  }
}

/** The error toast of every action. None when the session has ended: the login page follows. */
export function showFailure(failure: string, error: unknown): void {
  const signedOut = error instanceof ApiError && error.status === 401
  if (!signedOut) toast.error(failure, error instanceof Error ? { description: error.message } : {})
}
