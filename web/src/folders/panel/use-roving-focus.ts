import { useLayoutEffect, useState } from 'react'
import type { TreeItemId, TreeRow } from '../tree.ts'

/** The one line that Tab reaches: where the focus was last, else the folder that is open. */
export function useRovingFocus(
  scroller: { readonly current: HTMLElement | null },
  top: readonly TreeItemId[],
  rows: readonly TreeRow[],
  selected: TreeItemId,
): [TreeItemId, (place: TreeItemId) => void, (place: TreeItemId) => void] {
  // A new object for every wish, so that a line already current is focused again.
  const [wish, setWish] = useState<{ place: TreeItemId; focus: boolean } | null>(null)
  const isThere = (place: TreeItemId) => top.includes(place) || rows.some(({ folder }) => folder.id === place)
  const current = [wish?.place ?? selected, selected].find(isThere) ?? 'all'

  useLayoutEffect(() => {
    if (!wish?.focus) return
    const find = (selector: string) => scroller.current?.querySelector<HTMLElement>(selector)
    // What was wished for may lie in a folded folder.
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
