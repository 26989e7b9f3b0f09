import type { TreeItemId } from '../tree.ts'

/** The tree item that an event happened on. */
export function itemIdOf(target: EventTarget): TreeItemId | undefined {
  const item = target instanceof Element ? itemElementOf(target)?.dataset.item : undefined
  if (item === undefined) return undefined
  return item === 'all' || item === 'root' ? item : Number(item)
}

/** Which control of the item: `fold`, `rename`, `menu` or `field`; undefined for the item itself. */
export function controlOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-part]')?.dataset.part : undefined
}

export function itemElementOf(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-item]')
}
