import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { confirmSignIn } from '#contract/auth.ts'
import { ApiError, callWithToken } from '../kit/api.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { storeToken } from '../kit/token.ts'
import { type CallbackResult, clearCallbackResult } from './callback-result.ts'
import { FullPageSpinner } from './FullPageSpinner.tsx'
import { takeReturnPath } from './return-path.ts'
import { ServerUnreachable } from './ServerUnreachable.tsx'
import { useSession } from './SessionProvider.tsx'
import { texts } from './texts.ts'

/** A fixed id, because React may run the effect that shows the toast twice. */
const toastId = 'sign-in'

/** The provider redirects here: confirms the token, loads the session and goes to the page the person wanted. */
export function CallbackPage({ arrival }: { arrival: CallbackResult }) {
  usePageTitle(texts.callback.page)
  const { session } = useSession()
  const confirmation = useConfirmation(arrival)
  const navigate = useNavigate()
  const { status } = session

  useEffect(() => {
    function fail(reason: string) {
      toast.error(reason, { id: toastId })
      // For somebody who is still signed in, /login redirects to the gallery.
      navigate('/login', { replace: true })
    }
    if (arrival.kind === 'nothing') return fail(texts.callback.noToken)
    if (arrival.kind === 'error' || confirmation.is === 'refused') return fail(texts.callback.failed)
    if (confirmation.is !== 'given') return
    if (status === 'anonymous') return fail(texts.callback.failed)
    if (status === 'authenticated') {
      toast.success(texts.callback.success, { id: toastId })
      navigate(takeReturnPath(), { replace: true })
    }
  }, [arrival, confirmation.is, status, navigate])

  if (confirmation.is === 'unreachable') return <ServerUnreachable {...confirmation} />
  return confirmation.is === 'given' && status === 'unreachable' ? (
    <ServerUnreachable {...session} />
  ) : (
    <FullPageSpinner />
  )
}

type Confirmation = { is: 'awaited' | 'given' | 'refused' } | { is: 'unreachable'; reason: string; retry: () => void }

/** Login CSRF protection: the token is stored only after the server confirmed that this browser requested it. */
function useConfirmation(arrival: CallbackResult): Confirmation {
  const [confirmation, setConfirmation] = useState<Confirmation>({ is: 'awaited' })
  const { is } = confirmation

  useEffect(() => {
    if (arrival.kind !== 'token' || is !== 'awaited') return
    const { token } = arrival
    const { signal, abort } = abortable()
    callWithToken(token, confirmSignIn, signal).then(
      () => {
        if (signal.aborted) return
        clearCallbackResult()
        storeToken(token)
        setConfirmation({ is: 'given' })
      },
      (error: unknown) => {
        if (signal.aborted) return
        // Anything but an ApiError is a bug in the request itself, so a retry is useless.
        if (!(error instanceof ApiError) || error.status === 403) {
          clearCallbackResult()
          setConfirmation({ is: 'refused' })
          return
        }
        const retry = () => setConfirmation({ is: 'awaited' })
        setConfirmation({ is: 'unreachable', reason: error.message, retry })
      },
    )
    return abort
  }, [arrival, is])

  return confirmation
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
