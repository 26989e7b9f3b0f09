import { useMemo, useSyncExternalStore } from 'react'

/** Collapsed folders, in local storage. All others are expanded. */

const KEY = 'folded_folders'
const listeners = new Set<() => void>()

export function useCollapsedFolders(): ReadonlySet<number> {
  const text = useSyncExternalStore(subscribe, read)
  return useMemo(() => parseCollapsed(text), [text])
}

export function collapse(id: number): void {
  write(new Set([...parseCollapsed(read()), id]))
}

export function expand(...ids: number[]): void {
  write(new Set([...parseCollapsed(read())].filter(id => !ids.includes(id))))
}

/** An unreadable value collapses nothing. */
export function parseCollapsed(text: string): ReadonlySet<number> {
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
