import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from 'sonner'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { ApiError, call } from './api.ts'
import { keyOf } from './queries.ts'
import { texts } from './texts.ts'

interface Outcome<E extends Endpoint> {
  /** The toast when it worked; none where what is shown says it. */
  success?: string | ((answer: Answer<E>, input: CallInput<E>) => string)
  /** The toast when it did not; the server's sentence stands below it. */
  failure: string
  /** What has to be read again afterwards. Also after a failure: it may mean that someone else was first. */
  refresh: readonly Endpoint[]
  /** The calls of the same endpoint that take it back; none where there is nothing to take back. */
  undo?: (answer: Answer<E>, input: CallInput<E>) => readonly CallInput<E>[]
  /** What follows from an answer, as soon as it is there. */
  whenDone?: (answer: Answer<E>) => void
}

/** The one hook for acting: calls, says how it went, and stays busy until what is shown is true again. */
export function useAction<E extends Endpoint>(endpoint: E, { success, failure, refresh, undo, whenDone }: Outcome<E>) {
  const client = useQueryClient()
  const underWay = useRef(false)
  const readAgain = () => Promise.all(refresh.map(read => client.invalidateQueries({ queryKey: keyOf(read) })))

  async function takeBack(calls: readonly CallInput<E>[]): Promise<void> {
    try {
      for (const input of calls) await call(endpoint, input)
      toast.success(texts.undone)
    } catch (error) {
      sayFailure(failure, error)
    }
    await readAgain()
  }

  const { mutateAsync, isPending } = useMutation({
    mutationFn: (input: CallInput<E>) => call(endpoint, input),
    onSuccess: (answer, input) => {
      const calls = undo?.(answer, input) ?? []
      const message = typeof success === 'function' ? success(answer, input) : success
      const action = { label: texts.undo, onClick: () => void takeBack(calls) }
      if (message !== undefined) toast.success(message, calls.length > 0 ? { action } : {})
      whenDone?.(answer)
    },
    onError: error => sayFailure(failure, error),
    onSettled: readAgain,
  })

  /** Resolves to whether it worked; a second press while the first is under way does nothing. */
  async function run(input: CallInput<E>): Promise<boolean> {
    if (underWay.current) return false
    underWay.current = true
    const worked = mutateAsync(input).then(
      () => true,
      () => false,
    )
    return worked.finally(() => {
      underWay.current = false
    })
  }

  return { run, busy: isPending }
}

function sayFailure(failure: string, error: unknown): void {
  const signedOut = error instanceof ApiError && error.status === 401
  if (!signedOut) toast.error(failure, error instanceof Error ? { description: error.message } : {})
}
