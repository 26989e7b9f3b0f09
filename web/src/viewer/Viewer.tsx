import './viewer.css'
import { type ReactNode, type RefObject, useCallback, useRef, useState, useSyncExternalStore } from 'react'
import { narrowScreen } from '#contract/limits.ts'
import type { ViewedFile } from '../media/viewed-file.ts'
import { NavigationButtons, useNavigation } from './NavigationButtons.tsx'
import { Panel } from './Panel.tsx'
import { SlideshowControls, useSlideshow } from './Slideshow.tsx'
import { Stage } from './stage/Stage.tsx'
import { identity, nextZoomStep, rotated, type Transform, zoomAt } from './stage/transform.ts'
import { Header, Toolbar } from './Toolbar.tsx'
import { texts } from './texts.ts'
import { useFullscreen, useIdle, ViewerDialog } from './ViewerDialog.tsx'
import { isEditing, useViewerKeys } from './viewer-keys.ts'

interface Props extends Omit<ViewedFile, 'note'> {
  /** Alternative text: the first note, or the file name. */
  alternative?: string | undefined
  /** Opens the panel, for links to a note. */
  openPanel?: boolean
  tags: ReactNode
  notes: ReactNode
  /** Buttons of other features. */
  extraActions?: ReactNode
}

/** Shows one photo or video full-page with its details. */
export function Viewer(props: Props) {
  const { id, file, actions, onClose, total } = props
  const viewer = useRef<HTMLDivElement>(null)
  const view = useTransform(id)
  const fullscreen = useFullscreen()
  const narrow = useNarrowScreen()
  const panel = usePanelOpen(!narrow, props.openPanel === true)
  const [controlsHidden, setControlsHidden] = useState(false)
  const [shownId, setShownId] = useState<number>()
  const slideshow = useViewerSlideshow(props, shownId, viewer)
  const idle = useIdle(fullscreen.on || slideshow.playing)
  const navigate = useNavigation(props)
  useViewerKeys(viewer, {
    previous: () => navigate('previous'),
    next: () => navigate('next'),
    slideshow: slideshow.toggle,
    zoomIn: view.zoomIn,
    zoomOut: view.zoomOut,
    rotate: view.rotate,
    fullscreen: fullscreen.toggle,
    details: panel.toggle,
  })
  return (
    <ViewerDialog
      viewer={viewer}
      fullscreen={fullscreen}
      hideControls={idle || controlsHidden}
      narrow={narrow}
      onClose={onClose}
    >
      <div className="viewer-picture">
        <Header
          name={file?.original_name ?? (props.error ? texts.notAvailable : undefined)}
          index={props.index}
          total={total}
        >
          <Toolbar
            file={file}
            actions={actions}
            view={view}
            slideshow={<SlideshowControls {...slideshow} focusAfterwards={() => viewer.current} />}
            fullscreen={fullscreen}
            panel={narrow || fullscreen.on ? undefined : panel}
            extraActions={props.extraActions}
          />
        </Header>
        <div className="relative min-h-0 flex-1">
          <Stage
            file={file}
            error={props.error}
            alternative={props.alternative ?? file?.original_name ?? ''}
            transform={view.transform}
            onTransform={view.setTransform}
            prefetch={props.prefetch}
            refresh={props.refresh}
            onNavigate={navigate}
            onReset={view.reset}
            onTap={() => setControlsHidden(!controlsHidden)}
            onClose={onClose}
            onDownload={viewed => void actions.download(viewed)}
            slideshow={slideshow.playing}
            onShown={() => setShownId(id)}
            onEnded={slideshow.onVideoEnded}
          />
          <NavigationButtons previous={props.previous} next={props.next} onOpen={props.onOpen} />
        </div>
      </div>
      {file !== undefined && !fullscreen.on && !(narrow && controlsHidden) && (
        <Panel
          file={file}
          metadata={props.metadata}
          actions={actions}
          tags={props.tags}
          notes={props.notes}
          position={narrow ? 'below' : 'beside'}
          open={panel.open}
          onToggle={panel.toggle}
        />
      )}
    </ViewerDialog>
  )
}

/** A video that cannot be played is treated like a photo, so that the slideshow does not wait for its end. */
function useViewerSlideshow(
  { id, file, total, next, first, onOpen }: Props,
  shownId: number | undefined,
  viewer: RefObject<HTMLElement | null>,
) {
  const following = next ?? first
  const shown = shownId === id
  return useSlideshow({
    id,
    ready: shown || (file?.url === null && file.status !== 'ready'),
    isVideo: file?.file_type === 'video' && (file.url !== null || file.status === 'ready') && !shown,
    nextId: following?.id,
    possible: total > 1,
    isUserBusy: () => isUserBusy(viewer.current),
    onNext: () => following !== undefined && onOpen(following),
  })
}

/** Whether the person is typing, or is in a dialog or menu opened from the viewer. */
function isUserBusy(viewer: HTMLElement | null): boolean {
  const { activeElement } = document
  if (activeElement === null) return false
  const around = activeElement.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')
  return isEditing(activeElement) || (around !== null && around !== viewer)
}

/** Zoom, pan and rotation of the open file. Reset when another file is opened. */
function useTransform(id: number) {
  const [{ of, transform }, setState] = useState({ of: id, transform: identity })
  const setTransform = useCallback((transform: Transform) => setState({ of: id, transform }), [id])
  if (of !== id) setState({ of: id, transform: identity })
  const current = of === id ? transform : identity
  const centre = { x: 0, y: 0 }
  return {
    transform: current,
    setTransform,
    zoomIn: () => setTransform(zoomAt(current, nextZoomStep(current.scale, 1), centre)),
    zoomOut: () => setTransform(zoomAt(current, nextZoomStep(current.scale, -1), centre)),
    rotate: () => setTransform(rotated(current)),
    reset: () => setTransform(identity),
  }
}

/** Open by default on wide screens, and whenever `wanted` becomes true. */
function usePanelOpen(hasRoom: boolean, wanted: boolean) {
  const [open, setOpen] = useState(hasRoom || wanted)
  const [wantedBefore, setWantedBefore] = useState(wanted)
  if (wanted !== wantedBefore) {
    setWantedBefore(wanted)
    if (wanted) setOpen(true)
  }
  return { open, toggle: () => setOpen(!open) }
}

const narrow = window.matchMedia(`(width < ${narrowScreen}px)`)
const touch = window.matchMedia('(any-pointer: coarse)')

/** Whether the screen is too narrow for a side panel, or is a touch screen. */
function useNarrowScreen(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches || isTouchScreen())
}

function isTouchScreen(): boolean {
  return touch.matches || navigator.maxTouchPoints > 0
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  touch.addEventListener('change', listener)
  return () => {
    narrow.removeEventListener('change', listener)
    touch.removeEventListener('change', listener)
  }
}
