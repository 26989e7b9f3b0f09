import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from 'sonner'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { ApiError, call } from './api.ts'
import { type Change, invalidate } from './changes.ts'
import { texts } from './texts.ts'

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
   * The calls of the same endpoint that undo it; none where there is nothing to undo. Called with the input before the
   * request, to capture the old values, and then with the response.
   */
  undo?: (input: CallInput<E>) => (answer: Answer<E>) => readonly CallInput<E>[]
  /** Called with the response, before the stale queries are fetched again. */
  whenDone?: (answer: Answer<E>) => void
}

/** Options of a single call: several calls of one action may be in flight. */
interface RunOptions<E extends Endpoint> {
  undo?: readonly CallInput<E>[]
  whenDone?: () => void
}

interface QueuedCall<E extends Endpoint> {
  input: CallInput<E>
  undoCallsFor: (answer: Answer<E>) => readonly CallInput<E>[]
  whenDone: (() => void) | undefined
}

/** The hook for every mutation: calls the endpoint, shows a toast, and stays busy until stale queries are fetched again. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { success, failure, changes, undo, whenDone }: ActionOptions<E>,
) {
  const client = useQueryClient()
  const inFlight = useRef(new Set<string>())
  const lastCall = useRef<Promise<unknown>>(Promise.resolve())
  const invalidateFor = (input: CallInput<E>) =>
    invalidate(client, ...(typeof changes === 'function' ? changes(input) : changes))

  async function undoCalls(input: CallInput<E>, calls: readonly CallInput<E>[]): Promise<void> {
    try {
      for (const call of calls) await callInOrder(call)
      toast.success(texts.undone)
    } catch (error) {
      showFailure(failure, error)
    }
    await invalidateFor(input)
  }

  /** Serialises the calls, so that of two changes to the same object the later one wins. */
  function callInOrder(input: CallInput<E>): Promise<Answer<E>> {
    const answer = lastCall.current.then(() => call(endpoint, input))
    lastCall.current = answer.catch(() => {})
    return answer
  }

  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ input }: QueuedCall<E>) => callInOrder(input),
    onSuccess: (answer, { input, undoCallsFor, whenDone: whenThisIsDone }) => {
      const calls = undoCallsFor(answer)
      const message = typeof success === 'function' ? success(answer, input) : success
      const action = { label: texts.undo, onClick: () => void undoCalls(input, calls) }
      if (message !== undefined) toast.success(message, calls.length > 0 ? { action } : {})
      whenDone?.(answer)
      whenThisIsDone?.()
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
    const undoCallsFor = own.undo ? () => own.undo ?? [] : (undo?.(input) ?? (() => []))
    const worked = mutateAsync({ input, undoCallsFor, whenDone: own.whenDone }).then(
      () => true,
      () => false,
    )
    return worked.finally(() => inFlight.current.delete(name))
  }

  return { run, busy: isPending }
}

function showFailure(failure: string, error: unknown): void {
  const signedOut = error instanceof ApiError && error.status === 401
  if (!signedOut) toast.error(failure, error instanceof Error ? { description: error.message } : {})
}
