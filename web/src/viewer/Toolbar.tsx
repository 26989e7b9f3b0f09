import { Dialog } from '@base-ui/react/dialog'
import {
  Download,
  EllipsisVertical,
  FolderInput,
  Maximize,
  Minimize,
  PanelRight,
  RotateCw,
  ShieldCheck,
  Trash2,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { zoom } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'
import type { FileActions } from '../media/viewed-file.ts'
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx'
import { texts } from './texts.ts'
import { ViewerButton } from './ViewerButton.tsx'

interface HeaderProps {
  name: string | undefined
  index: number | undefined
  total: number
  children: ReactNode
}

export function Header({ name, index, total, children }: HeaderProps) {
  const position = index === undefined ? undefined : texts.position(index, total)
  return (
    <div className="viewer-header viewer-chrome">
      <div className="viewer-title">
        <Dialog.Title className="min-w-0 truncate font-sans font-semibold text-body">
          <bdi>{name ?? texts.loading}</bdi>
        </Dialog.Title>
        {position !== undefined && <span className="whitespace-nowrap text-small opacity-80">{position}</span>}
        {/* Screen readers announce the new file. */}
        <span role="status" className="sr-only">
          {name !== undefined && [name, position].filter(Boolean).join(', ')}
        </span>
      </div>
      {children}
      <Dialog.Close
        render={
          <ViewerButton label={texts.close}>
            <X aria-hidden="true" className="size-6" />
          </ViewerButton>
        }
      />
    </div>
  )
}

interface Props {
  file: MediaFile | undefined
  actions: FileActions
  view: { transform: { scale: number }; zoomIn: () => void; zoomOut: () => void; rotate: () => void }
  slideshow: ReactNode
  fullscreen: { on: boolean; toggle: () => void }
  /** Absent where the panel has its own button. */
  panel?: { open: boolean; toggle: () => void } | undefined
  /** Buttons of other features. */
  extraActions: ReactNode
}

const icon = 'size-5'

/** Zoom, rotation, slideshow, full screen and the actions on the file. */
export function Toolbar({ file, actions, view, slideshow, fullscreen, panel, extraActions }: Props) {
  const { scale } = view.transform
  const FullscreenIcon = fullscreen.on ? Minimize : Maximize
  return (
    <div role="toolbar" aria-label={texts.tools} className="flex items-center sm:gap-1">
      <ViewerButton label={texts.zoomOut} disabled={scale <= zoom.smallest} onClick={view.zoomOut}>
        <ZoomOut aria-hidden="true" className={icon} />
      </ViewerButton>
      <output className="hidden min-w-10 text-center text-small sm:block">{texts.zoomLevel(scale)}</output>
      <ViewerButton label={texts.zoomIn} disabled={scale >= zoom.largest} onClick={view.zoomIn}>
        <ZoomIn aria-hidden="true" className={icon} />
      </ViewerButton>
      <ViewerButton label={texts.rotate} onClick={view.rotate}>
        <RotateCw aria-hidden="true" className={icon} />
      </ViewerButton>
      {slideshow}
      <ViewerButton label={fullscreen.on ? texts.fullscreen.leave : texts.fullscreen.enter} onClick={fullscreen.toggle}>
        <FullscreenIcon aria-hidden="true" className={icon} />
      </ViewerButton>
      {extraActions}
      {file !== undefined && <FileTools file={file} actions={actions} />}
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

function FileTools({ file, actions }: { file: MediaFile; actions: FileActions }) {
  const { move } = actions
  return (
    <>
      <ViewerButton label={texts.download} onClick={() => void actions.download(file)}>
        <Download aria-hidden="true" className={icon} />
      </ViewerButton>
      <Menu
        trigger={
          <ViewerButton label={texts.more}>
            <EllipsisVertical aria-hidden="true" className={icon} />
          </ViewerButton>
        }
      >
        {move !== undefined && (
          <MenuItem icon={<FolderInput aria-hidden="true" className={icon} />} onClick={() => move(file)}>
            {texts.move}
          </MenuItem>
        )}
        <MenuItem icon={<ShieldCheck aria-hidden="true" className={icon} />} onClick={() => actions.rehash(file)}>
          {texts.rehash}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 aria-hidden="true" className={`${icon} text-danger`} />}
          onClick={() => void actions.delete(file)}
        >
          {texts.delete}
        </MenuItem>
      </Menu>
    </>
  )
}
