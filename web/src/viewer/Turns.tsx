import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { MediaFile } from '#contract/media.ts'
import { texts } from './texts.ts'
import { ViewerButton } from './ViewerButton.tsx'

interface Props {
  previous: MediaFile | undefined
  next: MediaFile | undefined
  onOpen: (file: MediaFile) => void
}

/** To the files before and after this one. */
export function Turns({ previous, next, onOpen }: Props) {
  return (
    <>
      {previous !== undefined && (
        <div className="viewer-chrome viewer-turn left-2">
          <ViewerButton label={texts.previous} onClick={() => onOpen(previous)}>
            <ChevronLeft aria-hidden="true" className="size-7" />
          </ViewerButton>
        </div>
      )}
      {next !== undefined && (
        <div className="viewer-chrome viewer-turn right-2">
          <ViewerButton label={texts.next} onClick={() => onOpen(next)}>
            <ChevronRight aria-hidden="true" className="size-7" />
          </ViewerButton>
        </div>
      )}
    </>
  )
}
