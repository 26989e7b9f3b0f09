import { Download, Expand, FolderInput, PencilLine, ShieldCheck, StickyNote, Tag, Trash2 } from 'lucide-react'
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
  onRehash: (file: MediaFile) => void
  onDelete: (file: MediaFile) => void
  /** Absent where files cannot be moved, tagged or written on. */
  onMove?: ((file: MediaFile) => void) | undefined
  onTag?: ((file: MediaFile) => void) | undefined
  onNote?: ((file: MediaFile) => void) | undefined
}

const icon = 'size-5 shrink-0'

/** The actions of one file. One menu serves all files. */
export function FileMenu({ menu, onClose, onOpen, onRename, onMove, onTag, onNote, ...acts }: Props) {
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
      {onTag !== undefined && (
        <MenuItem icon={<Tag aria-hidden="true" className={icon} />} onClick={on(onTag)}>
          {texts.tag}
        </MenuItem>
      )}
      {onNote !== undefined && (
        <MenuItem icon={<StickyNote aria-hidden="true" className={icon} />} onClick={on(onNote)}>
          {texts.note}
        </MenuItem>
      )}
      <MenuItem icon={<Download aria-hidden="true" className={icon} />} onClick={on(acts.onDownload)}>
        {texts.download.label}
      </MenuItem>
      <MenuItem icon={<ShieldCheck aria-hidden="true" className={icon} />} onClick={on(acts.onRehash)}>
        {texts.rehash.label}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden="true" className={`${icon} text-danger`} />} onClick={on(acts.onDelete)}>
        {texts.delete.label}
      </MenuItem>
    </AnchoredMenu>
  )
}
