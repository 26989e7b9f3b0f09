import { z } from 'zod'

/** Where somebody was in the list, for each entry of the browser's history, so that Back and a reload return there. */

const Place = z.object({ index: z.int().nonnegative(), beyond: z.number() })
export type RememberedPlace = z.infer<typeof Place>

const keyFor = (entry: string) => `gallery-place:${entry}`

export function rememberPlace(entry: string, place: RememberedPlace): void {
  sessionStorage.setItem(keyFor(entry), JSON.stringify(place))
}

export function forgetPlace(entry: string): void {
  sessionStorage.removeItem(keyFor(entry))
}

export function recallPlace(entry: string): RememberedPlace | undefined {
  const stored = sessionStorage.getItem(keyFor(entry))
  return stored === null ? undefined : Place.safeParse(JSON.parse(stored)).data
}
