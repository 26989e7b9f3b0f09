import { useLayoutEffect, useState } from 'react'
import type { Place, TreeRow } from '../tree.ts'

/** The one line that Tab reaches: where the focus was last, else the folder that is open. */
export function useCurrentLine(
  scroller: { readonly current: HTMLElement | null },
  top: readonly Place[],
  rows: readonly TreeRow[],
  selected: Place,
): [Place, (place: Place) => void, (place: Place) => void] {
  // A new object for every wish, so that a line already current is focused again.
  const [wish, setWish] = useState<{ place: Place; focus: boolean } | null>(null)
  const isThere = (place: Place) => top.includes(place) || rows.some(({ folder }) => folder.id === place)
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
