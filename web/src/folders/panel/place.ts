import type { Place } from '../tree.ts'

/** The line of the tree that an event happened on. */
export function placeOf(target: EventTarget): Place | undefined {
  const place = target instanceof Element ? lineOf(target)?.dataset.place : undefined
  if (place === undefined) return undefined
  return place === 'all' || place === 'root' ? place : Number(place)
}

/** Which control of the line: `fold`, `rename`, `menu` or `field`; undefined for the line itself. */
export function partOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-part]')?.dataset.part : undefined
}

export function lineOf(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-place]')
}
