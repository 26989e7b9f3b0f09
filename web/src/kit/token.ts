import { useSyncExternalStore } from 'react'

/** The session's token in this browser. Every tab sees the same one, and hears when another tab changes it. */

const KEY = 'auth_token'
const listeners = new Set<() => void>()

export function readToken(): string | null {
  return localStorage.getItem(KEY)
}

export function storeToken(token: string): void {
  localStorage.setItem(KEY, token)
  notifyListeners()
}

/** With `only`, forgets that token alone: a late refusal of an old token must not end the session that followed it. */
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
