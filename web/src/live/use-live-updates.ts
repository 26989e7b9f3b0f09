import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { staleAfter } from '../kit/changes.ts'
import { firstLivePosition } from '../kit/live-position.ts'
import { clearToken, useToken } from '../kit/token.ts'
import { maintainConnection, streamUrl } from './connection.ts'
import { emitLiveEvent, setConnected } from './status.ts'
import { shareStreamAcrossTabs } from './tabs.ts'
import { ThrottledInvalidator } from './throttled-invalidator.ts'

/** What changes anywhere shows here, for as long as somebody is signed in. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  const token = useToken()
  // Before any effect that asks for something: what happens after an answer must be heard.
  useLayoutEffect(() => {
    if (token === null) return
    const signedOut = new AbortController()
    listen(client, token, signedOut.signal)
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
        for (const key of staleAfter(event)) void refresher.invalidate(key)
      },
      onConnected: connected => !signal.aborted && setConnected(connected),
      firstPosition: () => firstLivePosition(token),
      openStream: (listener, position, turn) =>
        maintainConnection(
          {
            address: streamUrl(window.location.origin),
            token,
            position,
            ...listener,
            // The server ended this session: every tab goes to /login at once.
            onRefused: () => clearToken(token),
          },
          turn,
        ),
    },
    signal,
  )
}
