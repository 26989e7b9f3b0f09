import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { texts } from './texts.ts'
import { ViewerButton } from './ViewerButton.tsx'

interface Props {
  previous: MediaFile | undefined
  next: MediaFile | undefined
  onOpen: (file: MediaFile) => void
}

/** Buttons for the previous and next file. */
export function NavigationButtons({ previous, next, onOpen }: Props) {
  return (
    <>
      {previous !== undefined && (
        <div className="viewer-chrome viewer-step left-2">
          <ViewerButton label={texts.previous} onClick={() => onOpen(previous)}>
            <ChevronLeft aria-hidden="true" className="size-7" />
          </ViewerButton>
        </div>
      )}
      {next !== undefined && (
        <div className="viewer-chrome viewer-step viewer-step-next">
          <ViewerButton label={texts.next} onClick={() => onOpen(next)}>
            <ChevronRight aria-hidden="true" className="size-7" />
          </ViewerButton>
        </div>
      )}
    </>
  )
}

interface Neighbours {
  id: number
  index: number | undefined
  total: number
  previous: MediaFile | undefined
  next: MediaFile | undefined
  onOpen: (file: MediaFile) => void
}

/** Navigates to a neighbour. Key presses made before the neighbour is loaded are queued and replayed step by step. */
export function useNavigation({ id, index, total, previous, next, onOpen }: Neighbours) {
  /** Queued steps and the file they start from; negative means backwards. */
  const pending = useRef({ from: id, steps: 0 })

  function navigate(to: 'previous' | 'next') {
    const [file, step] = to === 'next' ? [next, 1] : [previous, -1]
    const steps = pending.current.from === id ? pending.current.steps : 0
    if (file !== undefined && steps === 0) return onOpen(file)
    const exists = index === undefined || (step > 0 ? index < total - 1 : index > 0)
    if (exists) pending.current = { from: id, steps: steps + step }
  }

  const continuePending = useEffectEvent(() => {
    const { from, steps } = pending.current
    const file = steps > 0 ? next : previous
    if (from !== id || steps === 0 || file === undefined) return
    pending.current = { from: file.id, steps: steps - Math.sign(steps) }
    onOpen(file)
  })
  const known = `${previous?.id} ${id} ${next?.id}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a file or its neighbours become known
  useEffect(() => continuePending(), [known])
  return navigate
}
