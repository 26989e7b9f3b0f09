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
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { zoom } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'
import type { FileActs } from '../kit/viewed-file.ts'
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx'
import { texts } from './texts.ts'
import { ViewerButton } from './ViewerButton.tsx'

interface Props {
  file: MediaFile | undefined
  acts: FileActs
  look: { look: { scale: number }; zoomIn: () => void; zoomOut: () => void; rotate: () => void }
  slideshow: ReactNode
  fullscreen: { on: boolean; toggle: () => void }
  /** Absent where the panel has its own button. */
  panel?: { open: boolean; toggle: () => void } | undefined
  /** What other features do with a photo. */
  actions: ReactNode
}

const icon = 'size-5'

/** What can be done with the photo while looking at it. */
export function Toolbar({ file, acts, look, slideshow, fullscreen, panel, actions }: Props) {
  const { scale } = look.look
  const FullscreenIcon = fullscreen.on ? Minimize : Maximize
  return (
    <div role="toolbar" aria-label={texts.tools} className="flex items-center sm:gap-1">
      <ViewerButton label={texts.zoomOut} disabled={scale <= zoom.smallest} onClick={look.zoomOut}>
        <ZoomOut aria-hidden="true" className={icon} />
      </ViewerButton>
      <output className="hidden min-w-10 text-center text-small sm:block">{texts.zoomLevel(scale)}</output>
      <ViewerButton label={texts.zoomIn} disabled={scale >= zoom.largest} onClick={look.zoomIn}>
        <ZoomIn aria-hidden="true" className={icon} />
      </ViewerButton>
      <ViewerButton label={texts.rotate} onClick={look.rotate}>
        <RotateCw aria-hidden="true" className={icon} />
      </ViewerButton>
      {slideshow}
      <ViewerButton label={fullscreen.on ? texts.fullscreen.leave : texts.fullscreen.enter} onClick={fullscreen.toggle}>
        <FullscreenIcon aria-hidden="true" className={icon} />
      </ViewerButton>
      {actions}
      {file !== undefined && <FileTools file={file} acts={acts} />}
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

function FileTools({ file, acts }: { file: MediaFile; acts: FileActs }) {
  const { move } = acts
  return (
    <>
      <ViewerButton label={texts.download} onClick={() => void acts.download(file)}>
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
        <MenuItem icon={<ShieldCheck aria-hidden="true" className={icon} />} onClick={() => acts.rehash(file)}>
          {texts.rehash}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 aria-hidden="true" className={`${icon} text-danger`} />}
          onClick={() => void acts.delete(file)}
        >
          {texts.delete}
        </MenuItem>
      </Menu>
    </>
  )
}
