import type { TreeItemId } from '../tree.ts'

/** The line of the tree that an event happened on. */
export function itemIdOf(target: EventTarget): TreeItemId | undefined {
  const place = target instanceof Element ? itemElementOf(target)?.dataset.place : undefined
  if (place === undefined) return undefined
  return place === 'all' || place === 'root' ? place : Number(place)
}

/** Which control of the line: `fold`, `rename`, `menu` or `field`; undefined for the line itself. */
export function controlOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-part]')?.dataset.part : undefined
}

export function itemElementOf(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-place]')
}
