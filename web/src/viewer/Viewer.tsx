import './viewer.css'
import { Dialog } from '@base-ui/react/dialog'
import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { Header } from './Header.tsx'
import { isWriting } from './keys.ts'
import { BottomDrawer, SidePanel } from './Panel.tsx'
import { SlideshowControls } from './slideshow/SlideshowControls.tsx'
import { useSlideshow } from './slideshow/useSlideshow.ts'
import { Stage } from './stage/Stage.tsx'
import { Toolbar } from './Toolbar.tsx'
import { Turns } from './Turns.tsx'
import { useFocusInside } from './useFocusInside.ts'
import { useFullscreen } from './useFullscreen.ts'
import { useIdle } from './useIdle.ts'
import { useLook } from './useLook.ts'
import { useNarrow } from './useNarrow.ts'
import { useTurns } from './useTurns.ts'
import { useViewerKeys } from './useViewerKeys.ts'

/** What can be done to a file. */
export interface FileActs {
  rename: (file: MediaFile, newName: string) => Promise<boolean>
  download: (file: MediaFile) => Promise<void>
  rehash: (file: MediaFile) => void
  delete: (file: MediaFile) => Promise<boolean>
  /** Absent where files cannot be moved. */
  move?: ((file: MediaFile) => void) | undefined
}

interface Props {
  id: number
  /** Undefined until it has come. */
  file: MediaFile | undefined
  metadata: PhotoMetadata | null | undefined
  error: Error | null
  refresh: () => Promise<MediaFile | undefined>
  /** Its place in the list, from 0; undefined where it is in another. */
  index: number | undefined
  total: number
  previous: MediaFile | undefined
  next: MediaFile | undefined
  /** Where a slideshow goes on behind the last file. */
  first: MediaFile | undefined
  soon: readonly MediaFile[]
  acts: FileActs
  onOpen: (file: MediaFile) => void
  onClose: () => void
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
  const { id, file, acts, onOpen, onClose, previous, next, total, index } = props
  const viewer = useRef<HTMLDivElement>(null)
  useFocusInside(viewer)
  const look = useLook(id)
  const fullscreen = useFullscreen()
  const narrow = useNarrow()
  const [panelOpen, setPanelOpen] = useState(props.panelFirst === true || !narrow)
  const [wasAsked, setWasAsked] = useState(props.panelFirst)
  if (props.panelFirst !== wasAsked) {
    setWasAsked(props.panelFirst)
    if (props.panelFirst === true) setPanelOpen(true)
  }
  const [bare, setBare] = useState(false)
  const [shownId, setShownId] = useState<number>()

  const after = next ?? props.first
  const show = useSlideshow({
    id,
    ready: shownId === id || (file !== undefined && file.url === null),
    isFilm: file?.file_type === 'video' && file.url !== null && shownId !== id,
    nextId: after?.id,
    possible: total > 1,
    onNext: () => after !== undefined && onOpen(after),
  })
  const idle = useIdle(fullscreen.on || show.playing)

  const turn = useTurns(props)
  const toggleFullscreen = () => (fullscreen.on ? fullscreen.leave() : fullscreen.enter())
  const togglePanel = () => setPanelOpen(!panelOpen)
  useViewerKeys(viewer, {
    previous: () => turn('previous'),
    next: () => turn('next'),
    slideshow: show.toggle,
    zoomIn: look.zoomIn,
    zoomOut: look.zoomOut,
    rotate: look.rotate,
    fullscreen: toggleFullscreen,
    details: togglePanel,
  })

  /** Menus have closed themselves before. */
  function onEscape() {
    const { activeElement } = document
    if (activeElement !== null && viewer.current?.contains(activeElement) && isWriting(activeElement)) {
      viewer.current.focus()
    } else if (fullscreen.on) fullscreen.leave()
    else onClose()
  }

  /** Whoever pressed a button with the mouse goes on with the keys of the viewer, not with those of the button. */
  function onPressed({ target, detail }: MouseEvent) {
    const elsewhere = target instanceof Element && target.closest('aside, [aria-haspopup], [role=menu]') !== null
    if (detail > 0 && !elsewhere) viewer.current?.focus({ preventScroll: true })
  }

  const panel = file !== undefined && { file, metadata: props.metadata, acts, tags: props.tags, notes: props.notes }
  return (
    <Dialog.Root
      open
      disablePointerDismissal
      onOpenChange={(_, { reason }) => (reason === 'escape-key' ? onEscape() : onClose())}
    >
      <Dialog.Portal>
        <Dialog.Popup
          ref={viewer}
          // A note that is to be written has taken it already.
          initialFocus={() => (viewer.current?.contains(document.activeElement) ? false : viewer.current)}
          finalFocus={false}
          onClick={onPressed}
          data-fullscreen={fullscreen.on || undefined}
          data-idle={idle || bare || undefined}
          data-narrow={narrow || undefined}
          className="viewer"
        >
          <div className="viewer-picture">
            <Header name={file?.original_name} index={index} total={total}>
              <Toolbar
                file={file}
                acts={acts}
                scale={look.look.scale}
                onZoomIn={look.zoomIn}
                onZoomOut={look.zoomOut}
                onRotate={look.rotate}
                slideshow={<SlideshowControls {...show} focusAfterwards={() => viewer.current} />}
                fullscreen={fullscreen.on}
                onFullscreen={toggleFullscreen}
                panel={narrow || fullscreen.on ? undefined : { open: panelOpen, toggle: togglePanel }}
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
                onTap={() => setBare(!bare)}
                onClose={onClose}
                onDownload={viewed => void acts.download(viewed)}
                onShown={() => setShownId(id)}
                onEnded={show.onFilmEnded}
              />
              <Turns previous={previous} next={next} onOpen={onOpen} />
            </div>
          </div>
          {panel !== false && !fullscreen.on && !narrow && panelOpen && <SidePanel {...panel} />}
          {panel !== false && !fullscreen.on && narrow && !bare && (
            <BottomDrawer {...panel} open={panelOpen} onToggle={togglePanel} />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
