import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { staleAfter } from '../kit/changes.ts'
import { beforeStream, firstLivePosition } from '../kit/live-position.ts'
import { clearToken, useToken } from '../kit/token.ts'
import { maintainConnection, streamUrl } from './connection.ts'
import { emitLiveEvent, setConnected } from './status.ts'
import { shareStreamAcrossTabs } from './tabs.ts'
import { ThrottledInvalidator } from './throttled-invalidator.ts'

/** Keeps the query cache up to date by live events while somebody is signed in. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  const token = useToken()
  // A layout effect runs before the effects that fetch, so that no change after a response is missed.
  useLayoutEffect(() => {
    if (token === null) return
    const signedOut = new AbortController()
    void beforeStream().then(() => !signedOut.signal.aborted && listen(client, token, signedOut.signal))
    return () => signedOut.abort()
  }, [client, token])
}

function listen(client: QueryClient, token: string, signal: AbortSignal): void {
  const refresher = new ThrottledInvalidator(client)
  signal.addEventListener('abort', () => setConnected(false))
  shareStreamAcrossTabs(
    {
      onEvent: event => {
        if (signal.aborted) return
        emitLiveEvent(event)
        for (const key of staleAfter(client, event)) void refresher.invalidate(key)
      },
      onConnected: connected => !signal.aborted && setConnected(connected),
      firstPosition: () => firstLivePosition(token),
      openStream: (listener, position, leading) =>
        maintainConnection(
          {
            address: streamUrl(window.location.origin),
            token,
            position,
            ...listener,
            // The session has ended: every tab goes to /login.
            onRefused: () => clearToken(token),
          },
          leading,
        ),
    },
    signal,
  )
}
