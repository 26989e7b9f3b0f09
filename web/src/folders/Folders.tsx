import { FolderPanel, type FolderPanelProps } from './panel/FolderPanel.tsx'
import { texts } from './texts.ts'

/** The folder panel, as a part of the navigation. */
export function Folders(props: FolderPanelProps) {
  return (
    <nav aria-label={texts.title} className="folder-side">
      <h2 className="px-2 font-semibold">{texts.title}</h2>
      <FolderPanel {...props} />
    </nav>
  )
}
