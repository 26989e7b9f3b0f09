import { useSyncExternalStore } from 'react'

/** The session's token, in the browser's local storage and therefore shared by all tabs. */

const KEY = 'auth_token'
const listeners = new Set<() => void>()

export function readToken(): string | null {
  return localStorage.getItem(KEY)
}

export function storeToken(token: string): void {
  localStorage.setItem(KEY, token)
  notifyListeners()
}

/** With `only`, clears just that token: a late 401 for an old token must not end the session that replaced it. */
export function clearToken(only?: string): void {
  const token = readToken()
  if (token === null || (only !== undefined && token !== only)) return
  localStorage.removeItem(KEY)
  notifyListeners()
}

export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useToken(): string | null {
  return useSyncExternalStore(onTokenChange, readToken)
}

export function syncTokenAcrossTabs(): void {
  window.addEventListener('storage', event => {
    // A null key means that the whole storage was cleared.
    if (event.key === KEY || event.key === null) notifyListeners()
  })
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}
