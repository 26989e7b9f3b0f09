import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from 'sonner'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { ApiError, call } from './api.ts'
import { type Change, invalidate } from './changes.ts'
import { texts } from './texts.ts'

interface ActionOptions<E extends Endpoint> {
  /** The toast when it worked; none where what is shown says it. */
  success?: string | ((answer: Answer<E>, input: CallInput<E>) => string)
  /** The toast when it did not; the server's sentence stands below it. */
  failure: string
  /**
   * What the call changes on the server; the queries that this makes stale are fetched again. Also after a failure,
   * which may mean that someone else changed it first.
   */
  changes: readonly Change[] | ((input: CallInput<E>) => readonly Change[])
  /**
   * The calls of the same endpoint that take it back; none where there is nothing to take back. Asked when it begins, about
   * what stands there then, and again with the answer.
   */
  undo?: (input: CallInput<E>) => (answer: Answer<E>) => readonly CallInput<E>[]
  /** What follows from an answer, as soon as it is there. */
  whenDone?: (answer: Answer<E>) => void
}

/** What belongs to one call alone: several of the same kind may be under way. */
interface RunOptions<E extends Endpoint> {
  undo?: readonly CallInput<E>[]
  whenDone?: () => void
}

interface QueuedCall<E extends Endpoint> {
  input: CallInput<E>
  undoCallsFor: (answer: Answer<E>) => readonly CallInput<E>[]
  whenDone: (() => void) | undefined
}

/** The one hook for acting: calls, says how it went, and stays busy after a success until the lists are read again. */
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

  /** One after the other, so that of two decisions about the same thing the later one stands. */
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
    // A failure is shown at once and nobody waits for the lists: what was written can be corrected and sent again.
    onError: (error, { input }) => {
      showFailure(failure, error)
      void invalidateFor(input)
    },
  })

  /** Resolves to whether it worked; a second press for the same while the first is under way does nothing. */
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
