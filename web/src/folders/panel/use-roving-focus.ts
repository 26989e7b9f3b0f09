import { useLayoutEffect, useState } from 'react'
import type { TreeItemId, TreeRow } from '../tree.ts'

/** Roving tabindex: the one item that Tab reaches is the last focused one, else the selected one. */
export function useRovingFocus(
  scroller: { readonly current: HTMLElement | null },
  top: readonly TreeItemId[],
  rows: readonly TreeRow[],
  selected: TreeItemId | null,
): [TreeItemId, (item: TreeItemId) => void, (item: TreeItemId) => void] {
  // A new object each time, so that an item that is already current is focused again.
  const [wish, setWish] = useState<{ item: TreeItemId; focus: boolean } | null>(null)
  const isThere = (item: TreeItemId) => top.includes(item) || rows.some(({ folder }) => folder.id === item)
  const current = [wish?.item ?? selected, selected].find(item => item !== null && isThere(item)) ?? 'all'

  useLayoutEffect(() => {
    if (!wish?.focus) return
    const find = (selector: string) => scroller.current?.querySelector<HTMLElement>(selector)
    // The item may be inside a collapsed folder.
    const line = find(`[data-item="${wish.item}"]`) ?? find('[data-item][tabindex="0"]')
    line?.focus({ preventScroll: true })
    line?.scrollIntoView({ block: 'nearest' })
  }, [wish, scroller])

  return [
    current,
    item => setWish({ item, focus: true }),
    item => setWish(now => (now?.item === item ? now : { item, focus: false })),
  ]
}
