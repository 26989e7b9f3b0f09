import './viewer.css'
import { type ReactNode, type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCan } from '../kit/me.tsx'
import type { ViewedFile } from '../media/viewed-file.ts'
import { Caption } from './Caption.tsx'
import { useViewerLayout } from './layout.ts'
import { NavigationButtons, useNavigation } from './NavigationButtons.tsx'
import { Panel } from './Panel.tsx'
import { SaveRotation } from './SaveRotation.tsx'
import { SlideshowButton, SlideshowWords, useSlideshow } from './Slideshow.tsx'
import { canBeShown } from './stage/image-source.ts'
import { Stage } from './stage/Stage.tsx'
import { identity, nextZoomStep, rotated, type Transform, zoomAt } from './stage/transform.ts'
import { ActionBar, FullscreenButton, Header, Toolbar, ZoomButtons } from './Toolbar.tsx'
import { useFullscreen, useIdle, ViewerDialog } from './ViewerDialog.tsx'
import { isEditing, useViewerKeys } from './viewer-keys.ts'

interface Props extends Omit<ViewedFile, 'note'> {
  /** Alternative text of a file without a caption: the first note, or the file name. */
  alternative?: string | undefined
  /** Opens the panel, for links to a note. */
  openPanel?: boolean
  /** Starts the slideshow when it opens. */
  play?: boolean
  /** What other features show in the panel. Absent for guests, who see no details either. */
  sections?: ReactNode
  /** Keys, buttons and items of the menu of other features. */
  extraKeys?: Readonly<Record<string, () => void>>
  extraActions?: ReactNode
  extraItems?: ReactNode
}

/** Shows one photo or video full-page with its details. */
export function Viewer(props: Props) {
  const { id, file, actions, onClose, total } = props
  const viewer = useRef<HTMLDivElement>(null)
  const view = useTransform(`${id} ${file?.rotation?.saved ?? 0}`)
  const layout = useViewerLayout()
  const { narrow } = layout
  const panel = usePanelOpen(!narrow, props.openPanel === true)
  const [controlsHidden, setControlsHidden] = useState(false)
  const [shownId, setShownId] = useState<number>()
  const { fullscreen, slideshow } = useFullscreenSlideshow(props, shownId, viewer)
  const navigate = useNavigation(props)
  const mayEdit = useCan('media.edit')
  const commands = {
    previous: () => navigate('previous'),
    next: () => navigate('next'),
    slideshow: slideshow.toggle,
    zoomIn: view.zoomIn,
    zoomOut: view.zoomOut,
    rotate: view.rotate,
    fullscreen: fullscreen.toggle,
    details: panel.toggle,
    delete: () => {
      if (mayEdit && file !== undefined) void actions.delete(file)
    },
  }
  useViewerKeys(viewer, commands, props.extraKeys)
  const hasPanel = props.sections !== undefined
  const showPanel = hasPanel && file !== undefined && panel.open && !fullscreen.on && !(narrow && controlsHidden)
  const barAtSide = layout.side && !showPanel
  // In a low window the controls are over the photo. Without a mouse, a tap hides them.
  const idle = useIdle(fullscreen.on || slideshow.playing || (barAtSide && layout.mouse))
  const hasDrawer = narrow && hasPanel && !fullscreen.on
  const barBelow = narrow && !barAtSide && !(showPanel && !layout.side)
  // A slideshow has it over the photo.
  // With little height the offer to write one is hidden, too.
  const hasCaption = file !== undefined && !slideshow.playing && (file.caption !== null || (mayEdit && !layout.side))
  const captionBelow = hasCaption && (narrow || fullscreen.on) ? CAPTION_HEIGHT * layout.rem : 0
  const videoInset = {
    width: narrow && barAtSide ? BAR_WIDTH * layout.rem : 0,
    height:
      captionBelow + (barBelow ? (hasDrawer && !layout.side ? BAR_HEIGHT_WITH_DRAWER : BAR_HEIGHT) * layout.rem : 0),
  }
  const tools = {
    file,
    actions,
    view,
    slideshow: { ...slideshow, focusAfterwards: () => viewer.current },
    panel: fullscreen.on || !hasPanel ? undefined : panel,
    extraActions: props.extraActions,
    extraItems: props.extraItems,
  }
  return (
    <ViewerDialog
      viewer={viewer}
      fullscreen={fullscreen}
      hideControls={idle || controlsHidden}
      layout={layout}
      hasDrawer={hasDrawer}
      panelOpen={showPanel}
      onClose={onClose}
    >
      <div className="viewer-picture">
        <Header
          file={file}
          tile={props.tile}
          failed={props.error !== null}
          index={props.index}
          total={total}
          narrow={narrow}
        >
          {narrow ? (
            <div className="flex items-center">
              {layout.mouse && <ZoomButtons view={view} />}
              {layout.mouse && <FullscreenButton {...fullscreen} />}
              {slideshow.playing && <SlideshowButton {...slideshow} />}
            </div>
          ) : (
            <Toolbar {...tools} fullscreen={fullscreen} />
          )}
        </Header>
        <div className="relative min-h-0 flex-1">
          <Stage
            id={id}
            file={file}
            tile={props.tile}
            photoInTile={props.photoInTile}
            error={props.error}
            alternative={file?.caption ?? props.alternative ?? file?.original_name ?? ''}
            transform={view.transform}
            onTransform={view.setTransform}
            previous={props.previous}
            next={props.next}
            prefetch={props.prefetch}
            refresh={props.refresh}
            onNavigate={navigate}
            onReset={view.reset}
            onTap={() => setControlsHidden(!controlsHidden)}
            onSwipeUp={() => {
              setControlsHidden(false)
              if (!fullscreen.on) panel.show()
            }}
            onSwipeDown={() => {
              if (showPanel && narrow) panel.toggle()
              return !(showPanel && narrow)
            }}
            onClose={onClose}
            onDownload={viewed => void actions.download(viewed)}
            videoInset={videoInset}
            startsPlaying={props.startsPlaying}
            slideshow={slideshow.playing}
            zoomFor={slideshow.playing && slideshow.zoom ? slideshow.seconds : undefined}
            shown={shownId === id}
            onShown={() => setShownId(id)}
            onEnded={slideshow.onVideoEnded}
          />
          {file?.file_type === 'image' && file.status !== 'failed' && (
            <SaveRotation key={id} file={file} degrees={view.transform.rotation} onRotate={view.rotate} />
          )}
          {slideshow.playing && file !== undefined && shownId === id && <SlideshowWords key={id} file={file} />}
          <NavigationButtons previous={props.previous} next={props.next} onOpen={props.onOpen} />
        </div>
        {file !== undefined && !slideshow.playing && <Caption key={id} file={file} />}
      </div>
      {narrow && !controlsHidden && <ActionBar {...tools} />}
      {showPanel && (
        <Panel file={file} metadata={props.metadata} actions={actions}>
          {props.sections}
        </Panel>
      )}
    </ViewerDialog>
  )
}

/** Of the action bar at the lower edge, or at the right edge of a turned phone, in rem; the same as in viewer.css. */
const BAR_HEIGHT = 4
const BAR_HEIGHT_WITH_DRAWER = 6.75
const BAR_WIDTH = 5.5
/** Over the lower edge of the photo, on narrow screens and in full screen. */
const CAPTION_HEIGHT = 3.25

/** A slideshow is full screen: leaving full screen ends it, and its end leaves full screen if it has entered it. */
function useFullscreenSlideshow(props: Props, shownId: number | undefined, viewer: RefObject<HTMLElement | null>) {
  const { start, stop, ...slideshow } = useViewerSlideshow(props, shownId, viewer)
  const fullscreen = useFullscreen(stop)
  const entered = useRef(false)
  const toggle = () => {
    if (slideshow.playing) {
      stop()
      if (entered.current) fullscreen.leave()
      return
    }
    if (!slideshow.possible) return
    entered.current = !fullscreen.on
    if (!fullscreen.on) fullscreen.enter()
    start()
  }
  const begin = useEffectEvent(toggle)
  const wanted = props.play === true
  useEffect(() => {
    if (wanted) begin()
  }, [wanted])
  return { fullscreen, slideshow: { ...slideshow, toggle } }
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
    ready: shown || (file !== undefined && !canBeShown(file)),
    isVideo: file?.file_type === 'video' && canBeShown(file) && !shown,
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

/** Zoom, pan and rotation of the open file. Reset when another file is opened, or the rotation is saved. */
function useTransform(id: string) {
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
  return { open, toggle: () => setOpen(!open), show: () => setOpen(true) }
}
