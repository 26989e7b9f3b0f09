import { callbackPagePath } from '#contract/auth.ts'

/** What the provider's answer brought to /auth/callback. */
export type CallbackResult = { kind: 'token'; token: string } | { kind: 'error' } | { kind: 'nothing' }

/** Kept in this tab until the server has confirmed the token, for a page that is reloaded before that. */
const KEY = 'sign_in_token'

/**
 * Takes the answer out of the address. Runs before anything else on the page, so that the token stands neither in the
 * address bar nor in the history when the first picture is loaded or the first link followed.
 */
export function takeCallbackResult(): CallbackResult {
  if (window.location.pathname !== callbackPagePath) return { kind: 'nothing' }
  const arrival = parseCallbackResult(new URLSearchParams(window.location.search), sessionStorage.getItem(KEY))
  window.history.replaceState(null, '', callbackPagePath)
  if (arrival.kind === 'token') sessionStorage.setItem(KEY, arrival.token)
  else clearCallbackResult()
  return arrival
}

/** Once the token is confirmed or refused. */
export function clearCallbackResult(): void {
  sessionStorage.removeItem(KEY)
}

/** As tokens of the server look, with some room. Anything else is refused here: not every text can be sent in a header. */
const tokenShape = /^[\w-]{20,200}$/

/** `kept` is the token of a page that was reloaded; what the address brings goes first. */
export function parseCallbackResult(query: URLSearchParams, kept: string | null): CallbackResult {
  if (query.has('error')) return { kind: 'error' }
  const token = query.get('token') ?? kept
  if (token === null || token === '') return { kind: 'nothing' }
  return tokenShape.test(token) ? { kind: 'token', token } : { kind: 'error' }
}
