import type { TreeItemId } from '../tree.ts'

/** The tree item that an event happened on. */
export function itemIdOf(target: EventTarget): TreeItemId | undefined {
  const place = target instanceof Element ? itemElementOf(target)?.dataset.place : undefined
  if (place === undefined) return undefined
  return place === 'all' || place === 'root' ? place : Number(place)
}

/** Which control of the item: `fold`, `rename`, `menu` or `field`; undefined for the item itself. */
export function controlOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-part]')?.dataset.part : undefined
}

export function itemElementOf(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-place]')
}
