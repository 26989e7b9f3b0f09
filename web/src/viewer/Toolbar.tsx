import { Dialog } from '@base-ui/react/dialog'
import {
  ArrowLeft,
  ChevronDown,
  ChevronUp,
  Download,
  EllipsisVertical,
  FolderInput,
  Link2,
  Maximize,
  Minimize,
  PanelRight,
  RotateCw,
  Trash2,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { zoom } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'
import { useCan } from '../kit/me.tsx'
import type { FileActions, TilePicture } from '../media/viewed-file.ts'
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx'
import { fileTitle, tileTitle } from './file-facts.ts'
import { IntervalChoice, IntervalMenu, SlideshowButton, SlideshowItem, type SlideshowView } from './Slideshow.tsx'
import { texts } from './texts.ts'
import { ViewerButton } from './ViewerButton.tsx'

interface HeaderProps {
  file: MediaFile | undefined
  tile: TilePicture | undefined
  /** The file could not be loaded: the title has what its tile knows. */
  failed: boolean
  index: number | undefined
  total: number
  /** With a back button in front of the title; else the close button comes last. */
  narrow: boolean
  children: ReactNode
}

export function Header({ file, tile, failed, index, total, narrow, children }: HeaderProps) {
  const position = index === undefined ? undefined : texts.position({ position: index + 1, total })
  const name = file?.original_name
  const title = file && fileTitle(file)
  const Icon = narrow ? ArrowLeft : X
  const close = (
    <Dialog.Close
      render={
        <ViewerButton label={texts.close}>
          <Icon aria-hidden="true" className="size-6" />
        </ViewerButton>
      }
    />
  )
  return (
    <div className="viewer-header viewer-chrome">
      {narrow && close}
      <div className="viewer-title">
        <Dialog.Title className="min-w-0 truncate font-sans font-semibold text-body">
          <bdi>{title ?? name ?? (failed ? (tile ? tileTitle(tile) : texts.notAvailable) : texts.loading)}</bdi>
          {/* Two photos of one day and place differ by their names. */}
          {title !== undefined && <span className="sr-only">, {name}</span>}
        </Dialog.Title>
        {position !== undefined && <span className="whitespace-nowrap text-small opacity-80">{position}</span>}
        {/* Screen readers announce the new file. */}
        <span role="status" className="sr-only">
          {name !== undefined && [title, name, file?.caption, position].filter(Boolean).join(', ')}
        </span>
      </div>
      {children}
      {!narrow && close}
    </div>
  )
}

interface ViewControls {
  transform: { scale: number }
  zoomIn: () => void
  zoomOut: () => void
  rotate: () => void
}

interface PanelToggle {
  open: boolean
  toggle: () => void
}

interface Props {
  file: MediaFile | undefined
  actions: FileActions
  view: ViewControls
  slideshow: SlideshowView
  fullscreen: { on: boolean; toggle: () => void }
  /** Absent in full screen. */
  panel: PanelToggle | undefined
  /** Buttons of other features, and items of the menu. */
  extraActions: ReactNode
  extraItems: ReactNode
}

const icon = 'size-5'

/** Zoom, rotation, slideshow, full screen and the actions on the file, on a wide screen. */
export function Toolbar({ file, actions, view, slideshow, fullscreen, panel, extraActions, extraItems }: Props) {
  const mayEdit = useCan('media.edit')
  return (
    <div role="toolbar" aria-label={texts.tools} className="flex items-center sm:gap-1">
      <ZoomButtons view={view} />
      <ViewerButton label={texts.rotate} onClick={view.rotate}>
        <RotateCw aria-hidden="true" className={icon} />
      </ViewerButton>
      {slideshow.possible && (
        <>
          <SlideshowButton {...slideshow} />
          <IntervalMenu {...slideshow} />
        </>
      )}
      <FullscreenButton {...fullscreen} />
      {extraActions}
      {file !== undefined && (
        <>
          <DownloadButton file={file} actions={actions} />
          {(mayEdit || extraItems) && (
            <Menu trigger={<MoreButton />}>
              {extraItems}
              {mayEdit && (
                <>
                  <FileItems file={file} actions={actions} />
                  <MenuSeparator />
                  <MenuItem
                    icon={<Trash2 aria-hidden="true" className={`${icon} text-danger`} />}
                    onClick={() => void actions.delete(file)}
                  >
                    {texts.delete}
                  </MenuItem>
                </>
              )}
            </Menu>
          )}
        </>
      )}
      {panel !== undefined && (
        <ViewerButton
          label={panel.open ? texts.hidePanel : texts.showPanel}
          aria-expanded={panel.open}
          onClick={panel.toggle}
        >
          <PanelRight aria-hidden="true" className={icon} />
        </ViewerButton>
      )}
    </div>
  )
}

/** The actions with their labels below the photo, on narrow and touch screens. */
export function ActionBar({
  file,
  actions,
  view,
  slideshow,
  panel,
  extraActions,
  extraItems,
}: Omit<Props, 'fullscreen'>) {
  const mayEdit = useCan('media.edit')
  if (file === undefined) return null
  return (
    <div role="toolbar" aria-label={texts.tools} className="viewer-bar viewer-chrome">
      {panel !== undefined && <DrawerToggle {...panel} />}
      {extraActions}
      <DownloadButton file={file} actions={actions} />
      {mayEdit && (
        <ViewerButton label={texts.delete} onClick={() => void actions.delete(file)}>
          <Trash2 aria-hidden="true" className={icon} />
        </ViewerButton>
      )}
      <Menu trigger={<MoreButton />} focusAfterwards={slideshow.focusAfterwards}>
        {slideshow.possible && (
          <>
            <SlideshowItem {...slideshow} />
            <IntervalChoice {...slideshow} />
            <MenuSeparator />
          </>
        )}
        <MenuItem icon={<RotateCw aria-hidden="true" className={icon} />} onClick={view.rotate}>
          {texts.rotate}
        </MenuItem>
        {extraItems}
        {mayEdit && <FileItems file={file} actions={actions} />}
      </Menu>
    </div>
  )
}

/** Always with its label, on a line of its own where the bar is below the photo. */
function DrawerToggle({ open, toggle }: PanelToggle) {
  const Icon = open ? ChevronDown : ChevronUp
  return (
    <button type="button" aria-expanded={open} onClick={toggle} className="viewer-button viewer-drawer-toggle">
      <Icon aria-hidden="true" className={icon} />
      {open ? texts.hidePanel : texts.showPanel}
    </button>
  )
}

export function ZoomButtons({ view }: { view: ViewControls }) {
  const { scale } = view.transform
  return (
    <>
      <ViewerButton label={texts.zoomOut} disabled={scale <= zoom.smallest} onClick={view.zoomOut}>
        <ZoomOut aria-hidden="true" className={icon} />
      </ViewerButton>
      <output className="hidden min-w-10 text-center text-small sm:block">
        {texts.zoomLevel({ scale: Math.round(scale * 10) / 10 })}
      </output>
      <ViewerButton label={texts.zoomIn} disabled={scale >= zoom.largest} onClick={view.zoomIn}>
        <ZoomIn aria-hidden="true" className={icon} />
      </ViewerButton>
    </>
  )
}

export function FullscreenButton({ on, toggle }: { on: boolean; toggle: () => void }) {
  const Icon = on ? Minimize : Maximize
  return (
    <ViewerButton label={on ? texts.fullscreen.leave : texts.fullscreen.enter} onClick={toggle}>
      <Icon aria-hidden="true" className={icon} />
    </ViewerButton>
  )
}

interface FileProps {
  file: MediaFile
  actions: FileActions
}

function DownloadButton({ file, actions }: FileProps) {
  return (
    <ViewerButton label={texts.download} onClick={() => void actions.download(file)}>
      <Download aria-hidden="true" className={icon} />
    </ViewerButton>
  )
}

/** The menu adds its own properties to its trigger. */
function MoreButton(props: object) {
  return (
    <ViewerButton {...props} label={texts.more} shortLabel={texts.moreShort}>
      <EllipsisVertical aria-hidden="true" className={icon} />
    </ViewerButton>
  )
}

function FileItems({ file, actions }: FileProps) {
  const { move, share } = actions
  return (
    <>
      {move !== undefined && (
        <MenuItem icon={<FolderInput aria-hidden="true" className={icon} />} onClick={() => move(file)}>
          {texts.move}
        </MenuItem>
      )}
      {share !== undefined && (
        <MenuItem icon={<Link2 aria-hidden="true" className={icon} />} onClick={() => share(file)}>
          {texts.share}
        </MenuItem>
      )}
    </>
  )
}
