import { useEffect, useEffectEvent, useRef } from 'react'
import type { MediaFile } from '#contract/media.ts'

interface Neighbours {
  id: number
  index: number | undefined
  total: number
  previous: MediaFile | undefined
  next: MediaFile | undefined
  onOpen: (file: MediaFile) => void
}

/** Turns to a neighbour. Whoever is quicker than the list gets there as soon as the list has come, step by step. */
export function useTurns({ id, index, total, previous, next, onOpen }: Neighbours) {
  /** Steps that wait, from the file they are to begin with; below 0 backwards. */
  const waiting = useRef({ from: id, steps: 0 })

  function turn(to: 'previous' | 'next') {
    const [file, step] = to === 'next' ? [next, 1] : [previous, -1]
    const steps = waiting.current.from === id ? waiting.current.steps : 0
    if (file !== undefined && steps === 0) return onOpen(file)
    const isThere = index === undefined || (step > 0 ? index < total - 1 : index > 0)
    if (isThere) waiting.current = { from: id, steps: steps + step }
  }

  const goOn = useEffectEvent(() => {
    const { from, steps } = waiting.current
    const file = steps > 0 ? next : previous
    if (from !== id || steps === 0 || file === undefined) return
    waiting.current = { from: file.id, steps: steps - Math.sign(steps) }
    onOpen(file)
  })
  const known = `${previous?.id} ${id} ${next?.id}`
  useEffect(() => {
    if (known !== '') goOn()
  }, [known])
  return turn
}
