import { z } from 'zod'

/** Volume and playback positions of videos, stored in this browser. */

const Volume = z.object({ volume: z.number().min(0).max(1), muted: z.boolean() })
type Volume = z.infer<typeof Volume>

const VOLUME_KEY = 'viewer.sound'
const POSITIONS_KEY = 'viewer.positions'

/** The least recently played is removed first. */
const MAX_POSITIONS = 100

const Positions = z.array(z.tuple([z.number(), z.number()]))

export function loadVolume(): Volume {
  return Volume.safeParse(read(VOLUME_KEY)).data ?? { volume: 1, muted: false }
}

export function storeVolume(volume: Volume): void {
  write(VOLUME_KEY, volume)
}

/** In seconds; 0 if none is stored. */
export function loadPosition(id: number): number {
  return positions().find(([film]) => film === id)?.[1] ?? 0
}

/** Positions in the first and last seconds are not stored. */
export function storePosition(id: number, seconds: number, duration: number): void {
  const others = positions().filter(([film]) => film !== id)
  const shouldStore = seconds > IGNORED_START && seconds < duration - IGNORED_END
  write(POSITIONS_KEY, shouldStore ? [...others, [id, Math.floor(seconds)]].slice(-MAX_POSITIONS) : others)
}

const IGNORED_START = 3
const IGNORED_END = 3

function positions(): [number, number][] {
  return Positions.safeParse(read(POSITIONS_KEY)).data ?? []
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    // Ignores values that we did not write.
    return null
  }
}

function write(key: string, value: unknown): void {
  localStorage.setItem(key, JSON.stringify(value))
}
