import { Folders as FoldersIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Drawer } from '../ui/Drawer.tsx'
import { useMinWidth } from '../ui/use-min-width.ts'
import { FolderPanel, type FolderPanelProps } from './panel/FolderPanel.tsx'
import { texts } from './texts.ts'

/** The folder panel: a side bar on wide screens, a drawer on others. */
export function Folders(props: FolderPanelProps) {
  if (!useMinWidth('lg')) return <FolderDrawer {...props} />
  return (
    <nav aria-label={texts.title} className="folder-side flex w-[260px] shrink-0 flex-col gap-3">
      <h2 className="px-2 font-semibold text-lead">{texts.title}</h2>
      <FolderPanel {...props} />
    </nav>
  )
}

/** Closes when a folder is chosen. */
function FolderDrawer({ onSelect, ...props }: FolderPanelProps) {
  const [open, setOpen] = useState(false)
  return (
    <Drawer
      open={open}
      onOpenChange={setOpen}
      title={texts.title}
      closeLabel={texts.close}
      trigger={<Button icon={<FoldersIcon aria-hidden="true" className="size-5" />}>{texts.title}</Button>}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-3 px-3 pb-4">
        <FolderPanel
          {...props}
          onSelect={place => {
            onSelect(place)
            setOpen(false)
          }}
        />
      </div>
    </Drawer>
  )
}
