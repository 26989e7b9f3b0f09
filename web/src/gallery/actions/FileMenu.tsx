import { Download, Expand, FolderInput, PencilLine, Trash2 } from 'lucide-react'
import type { MediaFile } from '#contract/media.ts'
import { AnchoredMenu } from '../../ui/AnchoredMenu.tsx'
import { MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { texts } from '../texts.ts'

export interface MenuFor {
  file: MediaFile
  /** The button it opens from. */
  anchor: Element
}

interface Props {
  /** Null: closed. */
  menu: MenuFor | null
  onClose: () => void
  onOpen: (file: MediaFile) => void
  onRename: (file: MediaFile) => void
  onDownload: (file: MediaFile) => void
  onDelete: (file: MediaFile) => void
  /** Absent where files cannot be moved. */
  onMove?: ((file: MediaFile) => void) | undefined
}

const icon = 'size-5 shrink-0'

/** The actions of one file. One menu serves all files. */
export function FileMenu({ menu, onClose, onOpen, onRename, onDownload, onDelete, onMove }: Props) {
  const on = (act: (file: MediaFile) => void) => () => {
    if (menu !== null) act(menu.file)
  }
  return (
    <AnchoredMenu anchor={menu?.anchor ?? null} label={menu?.file.original_name ?? ''} onClose={onClose}>
      <MenuItem icon={<Expand aria-hidden="true" className={icon} />} onClick={on(onOpen)}>
        {texts.open}
      </MenuItem>
      <MenuItem icon={<PencilLine aria-hidden="true" className={icon} />} onClick={on(onRename)}>
        {texts.rename.label}
      </MenuItem>
      {onMove !== undefined && (
        <MenuItem icon={<FolderInput aria-hidden="true" className={icon} />} onClick={on(onMove)}>
          {texts.move}
        </MenuItem>
      )}
      <MenuItem icon={<Download aria-hidden="true" className={icon} />} onClick={on(onDownload)}>
        {texts.download.label}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden="true" className={`${icon} text-danger`} />} onClick={on(onDelete)}>
        {texts.delete.label}
      </MenuItem>
    </AnchoredMenu>
  )
}
