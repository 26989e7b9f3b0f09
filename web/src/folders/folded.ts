import { useMemo, useSyncExternalStore } from 'react'

/** Which folders a person has folded, remembered in their browser. Everything else is unfolded. */

const KEY = 'folded_folders'
const listeners = new Set<() => void>()

export function useFolded(): ReadonlySet<number> {
  const text = useSyncExternalStore(subscribe, read)
  return useMemo(() => parseFolded(text), [text])
}

export function fold(id: number): void {
  write(new Set([...parseFolded(read()), id]))
}

export function unfold(...ids: number[]): void {
  write(new Set([...parseFolded(read())].filter(id => !ids.includes(id))))
}

/** Whatever stands there: what cannot be read folds nothing. */
export function parseFolded(text: string): ReadonlySet<number> {
  return new Set(text.split(',').map(Number).filter(isId))
}

function isId(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0
}

function read(): string {
  return localStorage.getItem(KEY) ?? ''
}

function write(ids: ReadonlySet<number>): void {
  localStorage.setItem(KEY, [...ids].join(','))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
