import { useSyncExternalStore } from 'react'

/** Light, dark, or the system's setting. The script in index.html applies it before the first paint. */

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'theme'
const listeners = new Set<() => void>()

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, readTheme), chooseTheme]
}

function readTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return themes.find(theme => theme === stored) ?? 'system'
}

function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follows changes of the system's setting, and choices made in another tab. */
export function watchTheme(): void {
  window.addEventListener('storage', event => {
    if (event.key === KEY || event.key === null) applyTheme()
  })
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)
  applyTheme()
}

function applyTheme(): void {
  document.documentElement.dataset.theme = readTheme()
  // The colour of the browser's own bars.
  const { backgroundColor } = getComputedStyle(document.documentElement)
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', backgroundColor)
  for (const listener of listeners) listener()
}
