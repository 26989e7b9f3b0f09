import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { staleAfter } from '../kit/changes.ts'
import { firstLivePosition } from '../kit/livePosition.ts'
import { forgetToken, useToken } from '../kit/token.ts'
import { keepConnected } from './connection.ts'
import { Refresher } from './refresher.ts'
import { setConnected, tellListeners } from './status.ts'
import { streamAddress } from './stream.ts'
import { shareAmongTabs } from './tabs.ts'

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
  const refresher = new Refresher(client)
  signal.addEventListener('abort', () => setConnected(false))
  shareAmongTabs(
    {
      onEvent: event => {
        if (signal.aborted) return
        tellListeners(event)
        for (const key of staleAfter(event)) void refresher.changed(key)
      },
      onConnected: connected => !signal.aborted && setConnected(connected),
      firstPosition: () => firstLivePosition(token),
      holdStream: (listener, position, turn) =>
        keepConnected(
          {
            address: streamAddress(window.location.origin),
            token,
            position,
            ...listener,
            // The server ended this session: every tab goes to /login at once.
            onRefused: () => forgetToken(token),
          },
          turn,
        ),
    },
    signal,
  )
}
