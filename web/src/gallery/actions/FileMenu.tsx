import type { LucideIcon } from 'lucide-react'
import type { NamedFile } from '../../media/viewed-file.ts'
import { AnchoredMenu } from '../../ui/AnchoredMenu.tsx'
import { MenuItem, MenuSeparator } from '../../ui/Menu.tsx'

export interface FileMenuTarget {
  file: NamedFile
  /** The button it opens from. */
  anchor: Element
}

export interface FileMenuAction {
  label: string
  icon: LucideIcon
  /** Shown in red below a separator. */
  destructive?: boolean
  run: (file: NamedFile) => void
}

interface Props {
  /** Null: closed. */
  target: FileMenuTarget | null
  actions: readonly FileMenuAction[]
  onClose: () => void
}

/** The actions of one file. One menu serves all files. */
export function FileMenu({ target, actions, onClose }: Props) {
  return (
    <AnchoredMenu anchor={target?.anchor ?? null} label={target?.file.original_name ?? ''} onClose={onClose}>
      {actions.flatMap(({ label, icon: Icon, destructive = false, run }) => [
        destructive && <MenuSeparator key={`${label} separator`} />,
        <MenuItem
          key={label}
          icon={<Icon aria-hidden="true" className={`size-5 shrink-0 ${destructive ? 'text-danger' : ''}`} />}
          onClick={() => target !== null && run(target.file)}
        >
          {label}
        </MenuItem>,
      ])}
    </AnchoredMenu>
  )
}
