import { Folders as FoldersIcon } from 'lucide-react'
import { type ReactElement, type ReactNode, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Drawer } from '../ui/Drawer.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { FolderPanel, type FolderPanelProps } from './panel/FolderPanel.tsx'
import { texts } from './texts.ts'

/** The folder panel: a side bar on wide screens, a drawer on others. Phones open it from the tab bar. */
export function Folders(props: FoldersProps) {
  const [wide, tabs] = [useScreen('lg'), useScreen('tabs')]
  const { renderPlaces, ...panel } = props
  if (tabs) return null
  if (!wide) {
    return (
      <FolderDrawer
        {...props}
        trigger={<Button icon={<FoldersIcon aria-hidden="true" className="size-5" />}>{texts.title}</Button>}
      />
    )
  }
  return (
    <nav aria-label={texts.title} className="folder-side flex w-[260px] shrink-0 flex-col gap-3">
      <h2 className="px-2 font-semibold text-lead">{texts.title}</h2>
      {renderPlaces(() => {})}
      <FolderPanel {...panel} />
    </nav>
  )
}

interface FoldersProps extends FolderPanelProps {
  /** Links to other places, above the folders. `onChosen` closes the drawer. */
  renderPlaces: (onChosen: () => void) => ReactNode
}

interface DrawerProps extends Omit<FoldersProps, 'onFilesDropped'> {
  trigger: ReactElement
  onFilesDropped?: FolderPanelProps['onFilesDropped']
}

/** Closes when a folder is chosen. */
export function FolderDrawer({ trigger, renderPlaces, onSelect, onFilesDropped = () => {}, ...props }: DrawerProps) {
  const [open, setOpen] = useState(false)
  return (
    <Drawer open={open} onOpenChange={setOpen} title={texts.title} closeLabel={texts.close} trigger={trigger}>
      <div className="flex min-h-0 flex-1 flex-col gap-3 px-3 pb-4">
        {renderPlaces(() => setOpen(false))}
        <FolderPanel
          {...props}
          onFilesDropped={onFilesDropped}
          onSelect={item => {
            onSelect(item)
            setOpen(false)
          }}
        />
      </div>
    </Drawer>
  )
}
