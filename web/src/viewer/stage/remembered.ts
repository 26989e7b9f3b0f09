import { z } from 'zod'

/** What a browser remembers of films: how loud they are, and where each was left. */

const Sound = z.object({ volume: z.number().min(0).max(1), muted: z.boolean() })
type Sound = z.infer<typeof Sound>

const SOUND = 'viewer.sound'
const PLACES = 'viewer.places'

/** The films whose places are kept; the one left longest ago is forgotten first. */
const MOST_PLACES = 100

const Places = z.array(z.tuple([z.number(), z.number()]))

export function rememberedSound(): Sound {
  return Sound.safeParse(read(SOUND)).data ?? { volume: 1, muted: false }
}

export function rememberSound(sound: Sound): void {
  write(SOUND, sound)
}

/** From which second a film goes on; 0 for its beginning. */
export function rememberedPlace(id: number): number {
  return places().find(([film]) => film === id)?.[1] ?? 0
}

/** A film left in its first moments or at its end begins anew. */
export function rememberPlace(id: number, seconds: number, duration: number): void {
  const others = places().filter(([film]) => film !== id)
  const worthIt = seconds > BEGINNING && seconds < duration - END
  write(PLACES, worthIt ? [...others, [id, Math.floor(seconds)]].slice(-MOST_PLACES) : others)
}

const BEGINNING = 3
const END = 3

function places(): [number, number][] {
  return Places.safeParse(read(PLACES)).data ?? []
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    // Whatever stands there was not written by us.
    return null
  }
}

function write(key: string, value: unknown): void {
  localStorage.setItem(key, JSON.stringify(value))
}
