import { useEffect, useEffectEvent, useRef } from 'react'
import type { MediaFile } from '#contract/media.ts'

type Direction = 'previous' | 'next'

interface Neighbours {
  id: number
  index: number | undefined
  total: number
  previous: MediaFile | undefined
  next: MediaFile | undefined
  onOpen: (file: MediaFile) => void
}

/** Turns to a neighbour. Whoever is quicker than the list is answered as soon as the list has come. */
export function useTurns({ id, index, total, previous, next, onOpen }: Neighbours) {
  const wish = useRef<{ from: number; to: Direction } | null>(null)

  function turn(to: Direction) {
    const file = to === 'next' ? next : previous
    if (file !== undefined) return onOpen(file)
    const isThere = index === undefined || (to === 'next' ? index < total - 1 : index > 0)
    if (isThere) wish.current = { from: id, to }
  }

  const fulfil = useEffectEvent(() => {
    const wished = wish.current
    const file = wished?.to === 'next' ? next : previous
    if (wished === null || file === undefined) return
    wish.current = null
    if (wished.from === id) onOpen(file)
  })
  const [before, after] = [previous?.id, next?.id]
  useEffect(() => {
    if (before !== undefined || after !== undefined) fulfil()
  }, [before, after])
  return turn
}
