import { callbackPagePath } from '#contract/auth.ts'

/** What the provider's answer brought to /auth/callback. */
export type Arrival = { kind: 'token'; token: string } | { kind: 'error' } | { kind: 'nothing' }

/**
 * Takes the answer out of the address. Runs before anything else on the page, so that the token stands neither in the
 * address bar nor in the history when the first picture is loaded or the first link followed.
 */
export function takeArrival(): Arrival {
  if (window.location.pathname !== callbackPagePath) return { kind: 'nothing' }
  const arrival = readArrival(new URLSearchParams(window.location.search))
  window.history.replaceState(null, '', callbackPagePath)
  return arrival
}

export function readArrival(query: URLSearchParams): Arrival {
  if (query.has('error')) return { kind: 'error' }
  const token = query.get('token')
  return token === null || token === '' ? { kind: 'nothing' } : { kind: 'token', token }
}
