import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { usePageTitle } from '../kit/settings.ts'
import { storeToken } from '../kit/token.ts'
import type { Arrival } from './arrival.ts'
import { FullPageSpinner } from './FullPageSpinner.tsx'
import { takeReturnPath } from './returnPath.ts'
import { useSession } from './session.tsx'
import { texts } from './texts.ts'
import { Unreachable } from './Unreachable.tsx'

/** One toast about this sign-in, however often React runs the effect that shows it. */
const toastId = 'sign-in'

/** Where the provider sends a person back to: takes the token, waits until the person is known, and moves on. */
export function CallbackPage({ arrival }: { arrival: Arrival }) {
  usePageTitle(texts.callback.page)
  const { session } = useSession()
  const [handedOver, setHandedOver] = useState(false)
  const navigate = useNavigate()

  useEffect(() => {
    function giveUp(reason: string) {
      toast.error(reason, { id: toastId })
      navigate('/login', { replace: true })
    }
    if (arrival.kind === 'error') return giveUp(texts.callback.failed)
    if (arrival.kind === 'nothing') return giveUp(texts.callback.noToken)
    if (!handedOver) {
      storeToken(arrival.token)
      return setHandedOver(true)
    }
    if (session.status === 'anonymous') return giveUp(texts.callback.failed)
    if (session.status === 'authenticated') {
      toast.success(texts.callback.success, { id: toastId })
      navigate(takeReturnPath(), { replace: true })
    }
  }, [arrival, handedOver, session.status, navigate])

  return session.status === 'unreachable' ? <Unreachable {...session} /> : <FullPageSpinner />
}
