import { useSyncExternalStore } from 'react'

/** The session's token, in the browser's local storage and therefore shared by all tabs. */

const KEY = 'auth_token'
/** The id of the person whose session it is, as soon as the server has said it. */
const PERSON_KEY = 'session_person'
const listeners = new Set<() => void>()

export function readToken(): string | null {
  return localStorage.getItem(KEY)
}

export function storeToken(token: string): void {
  clearSessionPerson()
  localStorage.setItem(KEY, token)
  notifyListeners()
}

/** With `only`, clears just that token: a late 401 for an old token must not end the session that replaced it. */
export function clearToken(only?: string): void {
  const token = readToken()
  if (token === null || (only !== undefined && token !== only)) return
  localStorage.removeItem(KEY)
  clearSessionPerson()
  notifyListeners()
}

export function readSessionPerson(): number | null {
  const id = Number(localStorage.getItem(PERSON_KEY) ?? Number.NaN)
  return Number.isInteger(id) ? id : null
}

export function setSessionPerson(id: number): void {
  localStorage.setItem(PERSON_KEY, String(id))
}

export function clearSessionPerson(): void {
  localStorage.removeItem(PERSON_KEY)
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
