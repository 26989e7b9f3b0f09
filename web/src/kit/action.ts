import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from 'sonner'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { ApiError, call } from './api.ts'
import { keyOf } from './queries.ts'

interface Outcome {
  /** The toast when it worked. */
  success: string
  /** The toast when it did not; the server's sentence stands below it. */
  failure: string
  /** What has to be read again afterwards. Also after a failure: it may mean that someone else was first. */
  refresh: readonly Endpoint[]
}

/** The one hook for acting: calls, says how it went, and stays busy until what is shown is true again. */
export function useAction<E extends Endpoint>(endpoint: E, { success, failure, refresh }: Outcome) {
  const client = useQueryClient()
  const underWay = useRef(false)
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (input: CallInput<E>) => call(endpoint, input),
    onSuccess: () => {
      toast.success(success)
    },
    onError: error => {
      const signedOut = error instanceof ApiError && error.status === 401
      if (!signedOut) toast.error(failure, { description: error.message })
    },
    onSettled: () => Promise.all(refresh.map(read => client.invalidateQueries({ queryKey: keyOf(read) }))),
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
