import { useEffect, useRef } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { FullPageSpinner } from './FullPageSpinner.tsx'
import { rememberReturnPath } from './return-path.ts'
import { ServerUnreachable } from './ServerUnreachable.tsx'
import { useSession } from './SessionProvider.tsx'

/** Redirects to /login without a session. */
export function RequireSession() {
  const { session } = useSession()
  const { pathname, search, hash } = useLocation()
  useRecheckOnNavigation()

  // After a deliberate sign-out, the next person on a shared device should start at the gallery.
  const wantsBack = session.status === 'anonymous' && !session.signedOut
  useEffect(() => {
    if (wantsBack) rememberReturnPath(`${pathname}${search}${hash}`)
  }, [wantsBack, pathname, search, hash])

  switch (session.status) {
    case 'loading':
      return <FullPageSpinner />
    case 'unreachable':
      return <ServerUnreachable {...session} />
    case 'anonymous':
      return <Navigate to="/login" replace />
    case 'authenticated':
      return <Outlet />
  }
}

/** Checks the session when a page is opened, also the current one again; changed filters do not count. */
function useRecheckOnNavigation() {
  const { session, recheck } = useSession()
  const location = useLocation()
  const before = useRef(location)
  useEffect(() => {
    const { key, pathname, search, hash } = before.current
    before.current = location
    const sameAddress = location.search === search && location.hash === hash
    const opened = location.key !== key && (location.pathname !== pathname || sameAddress)
    if (opened && session.status === 'authenticated') recheck()
  }, [location, session.status, recheck])
}
