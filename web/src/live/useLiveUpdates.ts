import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '#contract/live.ts'
import { forgetToken, useToken } from '../kit/token.ts'
import { changedBy } from './changes.ts'
import { keepConnected } from './connection.ts'
import { Refresher } from './refresher.ts'
import { setConnected, tellListeners } from './status.ts'
import { streamAddress } from './stream.ts'
import { shareAmongTabs } from './tabs.ts'

/** What changes anywhere shows here, for as long as somebody is signed in. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  const token = useToken()
  useEffect(() => {
    if (token === null) return
    const signedOut = new AbortController()
    listen(client, token, signedOut.signal)
    return () => signedOut.abort()
  }, [client, token])
}

function listen(client: QueryClient, token: string, signal: AbortSignal): void {
  const refresher = new Refresher(client)
  const onEvent = (event: LiveEvent) => {
    if (signal.aborted) return
    tellListeners(event)
    for (const key of changedBy(event)) void refresher.changed(key)
  }
  signal.addEventListener('abort', () => setConnected(false))
  shareAmongTabs(
    { onEvent, onConnected: connected => !signal.aborted && setConnected(connected) },
    (listener, turn) =>
      keepConnected(
        {
          address: streamAddress(window.location.origin),
          token,
          ...listener,
          // The server ended this session: every tab goes to /login at once.
          onRefused: () => forgetToken(token),
        },
        turn,
      ),
    signal,
  )
}
