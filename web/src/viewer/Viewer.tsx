import './viewer.css'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import type { ViewedFile } from '../kit/viewed-file.ts'
import { Header } from './Header.tsx'
import { isWriting } from './keys.ts'
import { Panel } from './Panel.tsx'
import { SlideshowControls } from './slideshow/SlideshowControls.tsx'
import { useSlideshow } from './slideshow/useSlideshow.ts'
import { Stage } from './stage/Stage.tsx'
import { Toolbar } from './Toolbar.tsx'
import { Turns } from './Turns.tsx'
import { texts } from './texts.ts'
import { useFullscreen } from './useFullscreen.ts'
import { useIdle } from './useIdle.ts'
import { useLook } from './useLook.ts'
import { useNarrow } from './useNarrow.ts'
import { usePanelOpen } from './usePanelOpen.ts'
import { useTurns } from './useTurns.ts'
import { useViewerKeys } from './useViewerKeys.ts'
import { ViewerDialog } from './ViewerDialog.tsx'

interface Props extends Omit<ViewedFile, 'note'> {
  /** What the photo shows, in the family's own words; its name where nobody wrote any. */
  alternative?: string | undefined
  /** Whether the panel is what somebody came for. */
  panelFirst?: boolean
  tags: ReactNode
  notes: ReactNode
  /** What other features do with the photo. */
  actions?: ReactNode
}

/** One photo or video, as large as the screen, with what the family knows of it. */
export function Viewer(props: Props) {
  const { id, file, acts, onClose, total } = props
  const viewer = useRef<HTMLDivElement>(null)
  const look = useLook(id)
  const fullscreen = useFullscreen()
  const narrow = useNarrow()
  const panel = usePanelOpen(!narrow, props.panelFirst === true)
  const [tapped, setTapped] = useState(false)
  const [shownId, setShownId] = useState<number>()
  const show = useShow(props, shownId, viewer)
  const idle = useIdle(fullscreen.on || show.playing)
  const turn = useTurns(props)
  useViewerKeys(viewer, {
    previous: () => turn('previous'),
    next: () => turn('next'),
    slideshow: show.toggle,
    zoomIn: look.zoomIn,
    zoomOut: look.zoomOut,
    rotate: look.rotate,
    fullscreen: fullscreen.toggle,
    details: panel.toggle,
  })
  return (
    <ViewerDialog viewer={viewer} fullscreen={fullscreen} bare={idle || tapped} narrow={narrow} onClose={onClose}>
      <div className="viewer-picture">
        <Header
          name={file?.original_name ?? (props.error ? texts.notThere : undefined)}
          index={props.index}
          total={total}
        >
          <Toolbar
            file={file}
            acts={acts}
            look={look}
            slideshow={<SlideshowControls {...show} focusAfterwards={() => viewer.current} />}
            fullscreen={fullscreen}
            panel={narrow || fullscreen.on ? undefined : panel}
            actions={props.actions}
          />
        </Header>
        <div className="relative min-h-0 flex-1">
          <Stage
            file={file}
            error={props.error}
            alternative={props.alternative ?? file?.original_name ?? ''}
            look={look.look}
            onLook={look.setLook}
            soon={props.soon}
            refresh={props.refresh}
            onTurn={turn}
            onReset={look.reset}
            onTap={() => setTapped(!tapped)}
            onClose={onClose}
            onDownload={viewed => void acts.download(viewed)}
            slideshow={show.playing}
            onShown={() => setShownId(id)}
            onEnded={show.onFilmEnded}
          />
          <Turns previous={props.previous} next={props.next} onOpen={props.onOpen} />
        </div>
      </div>
      {file !== undefined && !fullscreen.on && !(narrow && tapped) && (
        <Panel
          file={file}
          metadata={props.metadata}
          acts={acts}
          tags={props.tags}
          notes={props.notes}
          place={narrow ? 'below' : 'beside'}
          open={panel.open}
          onToggle={panel.toggle}
        />
      )}
    </ViewerDialog>
  )
}

/** A film that cannot be played counts as a picture: the slideshow must not wait for its end. */
function useShow(
  { id, file, total, next, first, onOpen }: Props,
  shownId: number | undefined,
  viewer: RefObject<HTMLElement | null>,
) {
  const after = next ?? first
  const shown = shownId === id
  return useSlideshow({
    id,
    ready: shown || (file?.url === null && file.status !== 'ready'),
    isFilm: file?.file_type === 'video' && (file.url !== null || file.status === 'ready') && !shown,
    nextId: after?.id,
    possible: total > 1,
    isOccupied: () => isOccupied(viewer.current),
    onNext: () => after !== undefined && onOpen(after),
  })
}

/** Whether somebody writes, or is in a dialog or menu that was opened from the viewer. */
function isOccupied(viewer: HTMLElement | null): boolean {
  const { activeElement } = document
  if (activeElement === null) return false
  const around = activeElement.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')
  return isWriting(activeElement) || (around !== null && around !== viewer)
}
