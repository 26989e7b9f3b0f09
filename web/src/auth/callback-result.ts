import { callbackPagePath } from '#contract/auth.ts'

/** The result of the sign-in, from the query of /auth/callback. */
export type CallbackResult = { kind: 'token'; token: string } | { kind: 'error' } | { kind: 'nothing' }

/** In session storage until the server has confirmed the token, in case the page is reloaded before. */
const KEY = 'sign_in_token'

/**
 * Removes the result from the URL. Runs before anything else, so that the token never leaks through the history or a
 * Referer header.
 */
export function takeCallbackResult(): CallbackResult {
  if (window.location.pathname !== callbackPagePath) return { kind: 'nothing' }
  const arrival = parseCallbackResult(new URLSearchParams(window.location.search), sessionStorage.getItem(KEY))
  window.history.replaceState(null, '', callbackPagePath)
  if (arrival.kind === 'token') sessionStorage.setItem(KEY, arrival.token)
  else clearCallbackResult()
  return arrival
}

export function clearCallbackResult(): void {
  sessionStorage.removeItem(KEY)
}

/** The format of the server's tokens. Others are rejected here, because not every text is valid in a header. */
const tokenShape = /^[\w-]{20,200}$/

/** `kept` is the token of a page that was reloaded; the URL takes precedence. */
export function parseCallbackResult(query: URLSearchParams, kept: string | null): CallbackResult {
  if (query.has('error')) return { kind: 'error' }
  const token = query.get('token') ?? kept
  if (token === null || token === '') return { kind: 'nothing' }
  return tokenShape.test(token) ? { kind: 'token', token } : { kind: 'error' }
}
