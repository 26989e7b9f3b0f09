import { useSyncExternalStore } from 'react'
import { z } from 'zod'

/** How this device shows files, in local storage. The script in `index.html` reads the view, too. */

const KEY = 'gallery-view'

const View = z.enum(['squares', 'proportions', 'list'])
type View = z.infer<typeof View>

const Preference = z.object({
  view: View,
  /** An album is shown as a page of a book, unless the person chose otherwise. */
  albumView: View.default('proportions'),
  /** Steps from the size that fits the screen, for each layout: positive ones are smaller. */
  density: z.object({ squares: z.int(), proportions: z.int() }),
})
type Preference = z.infer<typeof Preference>

const defaults: Preference = { view: 'proportions', albumView: 'proportions', density: { squares: 0, proportions: 0 } }

export interface ViewPreference {
  view: View
  density: number
  chooseView: (view: View) => void
  setDensity: (density: number) => void
}

export function useViewPreference({ inAlbum = false } = {}): ViewPreference {
  const { density, ...views } = useSyncExternalStore(subscribe, read)
  const field = inAlbum ? 'albumView' : 'view'
  const view = views[field]
  return {
    view,
    density: view === 'list' ? 0 : density[view],
    chooseView: view => write({ ...read(), [field]: view }),
    setDensity: step => {
      const now = read()
      if (view !== 'list') write({ ...now, density: { ...now.density, [view]: step } })
    },
  }
}

/** On a device that has no preference yet. */
export function adoptView(view: View): void {
  if (localStorage.getItem(KEY) === null) write({ ...defaults, view })
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
