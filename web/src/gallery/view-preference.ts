import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import type { View } from './layout/list-layout.ts'

/** How this device shows files, in local storage. */

const KEY = 'gallery-view'

const Preference = z.object({
  view: z.enum(['squares', 'proportions', 'list']),
  /** Steps from the size that fits the screen, for each layout: positive ones are smaller. */
  density: z.object({ squares: z.int(), proportions: z.int() }),
})
type Preference = z.infer<typeof Preference>

const defaults: Preference = { view: 'squares', density: { squares: 0, proportions: 0 } }

export interface ViewPreference {
  view: View
  density: number
  chooseView: (view: View) => void
  setDensity: (density: number) => void
}

export function useViewPreference(): ViewPreference {
  const { view, density } = useSyncExternalStore(subscribe, read)
  return {
    view,
    density: view === 'list' ? 0 : density[view],
    chooseView: view => write({ ...read(), view }),
    setDensity: step => {
      const now = read()
      if (now.view !== 'list') write({ ...now, density: { ...now.density, [now.view]: step } })
    },
  }
}

const listeners = new Set<() => void>()
let known: { stored: string | null; preference: Preference } = { stored: null, preference: defaults }

/** Returns the same object as long as nothing changed. */
function read(): Preference {
  const stored = localStorage.getItem(KEY)
  if (stored !== known.stored) known = { stored, preference: parse(stored) ?? defaults }
  return known.preference
}

function parse(stored: string | null): Preference | undefined {
  try {
    return Preference.safeParse(JSON.parse(stored ?? '')).data
  } catch {
    // Not written by this program.
    return undefined
  }
}

function write(preference: Preference): void {
  localStorage.setItem(KEY, JSON.stringify(preference))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
