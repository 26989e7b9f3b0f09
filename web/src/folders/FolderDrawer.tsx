import type { RefObject } from 'react'
import { Drawer } from '../ui/Drawer.tsx'
import { FolderPanel, type FolderPanelProps } from './panel/FolderPanel.tsx'
import { texts } from './texts.ts'

interface DrawerProps extends Omit<FolderPanelProps, 'onFilesDropped'> {
  open: boolean
  onOpenChange: (open: boolean) => void
  returnFocusTo: RefObject<HTMLElement | null>
}

/** The folder panel of phones. Closes when a folder is chosen. */
export function FolderDrawer({ open, onOpenChange, returnFocusTo, onSelect, ...props }: DrawerProps) {
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      returnFocusTo={returnFocusTo}
      title={texts.title}
      closeLabel={texts.close}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-3 px-3 pb-4">
        <FolderPanel
          {...props}
          onFilesDropped={() => {}}
          onSelect={item => {
            onSelect(item)
            onOpenChange(false)
          }}
        />
      </div>
    </Drawer>
  )
}
