import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { toast } from 'sonner'
import { logOut, whoAmI } from '#contract/auth.ts'
import type { User } from '#contract/people.ts'
import { ApiError, call, callWithToken, saysThatItWasEnded } from '../kit/api.ts'
import { query } from '../kit/queries.ts'
import { forgetDevice, recordPerson } from '../kit/saved-answers.ts'
import { clearToken, useToken } from '../kit/token.ts'
import { texts } from './texts.ts'

/** An unreachable server is not a 401: the token is kept, and the person can retry. */
export type Session =
  | { status: 'loading' }
  | { status: 'authenticated'; user: User }
  | { status: 'anonymous'; signedOut: boolean; lostAccess: boolean }
  | { status: 'unreachable'; reason: string; retry: () => void }

interface SessionContextValue {
  session: Session
  /** Fetches the session again, without a loading state. */
  recheck: () => void
  signOut: () => Promise<void>
}

const SessionContext = createContext<SessionContextValue | null>(null)

/** Timeout, after which the person is signed out on this device alone. */
const SIGN_OUT_TIMEOUT = 5_000

export function SessionProvider({ children }: { children: ReactNode }) {
  const token = useToken()
  const [signedOut, setSignedOut] = useState(false)
  const check = useQuery({ ...query(whoAmI, {}), enabled: token !== null, staleTime: Number.POSITIVE_INFINITY })
  const { data: user, error, refetch, isFetching } = check
  const lostAccess = useLostAccess(token, signedOut)

  useEffect(() => {
    if (token !== null && user !== undefined) recordPerson(token, user.id)
  }, [token, user])

  const value = useMemo<SessionContextValue>(() => {
    async function signOut() {
      await endSession()
      setSignedOut(true)
      clearToken()
      await forgetDevice()
    }
    function session(): Session {
      if (token === null) return { status: 'anonymous', signedOut, lostAccess }
      if (user !== undefined) return { status: 'authenticated', user }
      if (error === null || isFetching) return { status: 'loading' }
      return { status: 'unreachable', reason: error.message, retry: () => void refetch() }
    }
    return { session: session(), recheck: () => void refetch(), signOut }
  }, [token, signedOut, lostAccess, user, error, isFetching, refetch])

  return <SessionContext value={value}>{children}</SessionContext>
}

/** Whether the session ended because an admin revoked the person's access. The server still recognises its token. */
function useLostAccess(token: string | null, signedOut: boolean): boolean {
  const before = useRef(token)
  const [lost, setLost] = useState(false)
  useEffect(() => {
    const ended = token === null && !signedOut ? before.current : null
    before.current = token
    setLost(false)
    if (ended === null) return
    const asking = new AbortController()
    // Any other answer, or none, is no news.
    callWithToken(ended, whoAmI, asking.signal).catch(error => {
      if (!(error instanceof ApiError) || error.status !== 401) return
      if (error.code === 'access_denied') setLost(true)
      // What noticed the end, as the live stream, may not know that somebody else has ended the session.
      if (saysThatItWasEnded(error)) void forgetDevice()
    })
    return () => asking.abort()
  }, [token, signedOut])
  return lost
}

async function endSession(): Promise<void> {
  try {
    await call(logOut, {}, AbortSignal.timeout(SIGN_OUT_TIMEOUT))
  } catch (error) {
    const alreadyEnded = error instanceof ApiError && error.status === 401
    if (alreadyEnded) return
    toast.warning(texts.signedOutHereOnly, { description: texts.stillOpenOnServer })
  }
}

export function useSession(): SessionContextValue {
  const value = useContext(SessionContext)
  if (value === null) throw new Error('useSession must be used within SessionProvider')
  return value
}
