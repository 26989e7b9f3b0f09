import { FolderInput, FolderPlus, Pencil, Trash2 } from 'lucide-react'
import type { Folder } from '#contract/folders.ts'
import { AnchoredMenu } from '../../ui/AnchoredMenu.tsx'
import { MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { texts } from '../texts.ts'

export interface OpenFolderMenu {
  folder: Folder
  /** The button it opens from. */
  anchor: HTMLElement
}

interface Props {
  /** Null: closed. */
  menu: OpenFolderMenu | null
  onClose: () => void
  onRename: (folder: Folder) => void
  onCreateWithin: (folder: Folder) => void
  onMove: (folder: Folder) => void
  onDelete: (folder: Folder) => void
}

const icon = 'size-5 shrink-0'

/** The actions of a folder. All folders share one menu. */
export function FolderMenu({ menu, onClose, onRename, onCreateWithin, onMove, onDelete }: Props) {
  const on = (act: (folder: Folder) => void) => () => {
    if (menu !== null) act(menu.folder)
  }
  return (
    <AnchoredMenu
      anchor={menu?.anchor ?? null}
      label={texts.actions({ name: menu?.folder.name ?? '' })}
      onClose={onClose}
    >
      <MenuItem icon={<Pencil aria-hidden="true" className={icon} />} onClick={on(onRename)}>
        {texts.rename.label}
      </MenuItem>
      <MenuItem icon={<FolderPlus aria-hidden="true" className={icon} />} onClick={on(onCreateWithin)}>
        {texts.create.within}
      </MenuItem>
      <MenuItem icon={<FolderInput aria-hidden="true" className={icon} />} onClick={on(onMove)}>
        {texts.moveFolder.label}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden="true" className={`${icon} text-danger`} />} onClick={on(onDelete)}>
        {texts.delete.label}
      </MenuItem>
    </AnchoredMenu>
  )
}
