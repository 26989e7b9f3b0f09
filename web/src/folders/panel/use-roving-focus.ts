import { useLayoutEffect, useState } from 'react'
import type { TreeItemId, TreeRow } from '../tree.ts'

/** Roving tabindex: the one item that Tab reaches is the last focused one, else the selected one. */
export function useRovingFocus(
  scroller: { readonly current: HTMLElement | null },
  top: readonly TreeItemId[],
  rows: readonly TreeRow[],
  selected: TreeItemId,
): [TreeItemId, (place: TreeItemId) => void, (place: TreeItemId) => void] {
  // A new object each time, so that an item that is already current is focused again.
  const [wish, setWish] = useState<{ place: TreeItemId; focus: boolean } | null>(null)
  const isThere = (place: TreeItemId) => top.includes(place) || rows.some(({ folder }) => folder.id === place)
  const current = [wish?.place ?? selected, selected].find(isThere) ?? 'all'

  useLayoutEffect(() => {
    if (!wish?.focus) return
    const find = (selector: string) => scroller.current?.querySelector<HTMLElement>(selector)
    // The item may be inside a collapsed folder.
    const line = find(`[data-place="${wish.place}"]`) ?? find('[data-place][tabindex="0"]')
    line?.focus({ preventScroll: true })
    line?.scrollIntoView({ block: 'nearest' })
  }, [wish, scroller])

  return [
    current,
    place => setWish({ place, focus: true }),
    place => setWish(now => (now?.place === place ? now : { place, focus: false })),
  ]
}
