import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { Details } from './details/Details.tsx'
import { NameField } from './details/NameField.tsx'
import { texts } from './texts.ts'
import type { FileActs } from './Viewer.tsx'

interface Props {
  file: MediaFile
  metadata: PhotoMetadata | null | undefined
  acts: FileActs
  tags: ReactNode
  notes: ReactNode
}

/** What the family knows and says of a photo. */
function PanelContent({ file, metadata, acts, tags, notes }: Props) {
  return (
    <div className="flex flex-col gap-6 p-5">
      <NameField key={file.id} file={file} onRename={acts.rename} />
      {notes}
      {tags}
      <Details file={file} metadata={metadata} onMove={acts.move} />
    </div>
  )
}

/** Beside the photo. */
export function SidePanel(props: Props) {
  return (
    <aside aria-label={texts.panel} className="viewer-panel w-[22rem] shrink-0 overflow-y-auto">
      <PanelContent {...props} />
    </aside>
  )
}

/** Below the photo, where there is no room beside it: folded away until it is asked for. */
export function BottomDrawer({ open, onToggle, ...props }: Props & { open: boolean; onToggle: () => void }) {
  const Icon = open ? ChevronDown : ChevronUp
  return (
    <aside aria-label={texts.panel} className="viewer-panel flex max-h-[65svh] shrink-0 flex-col">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex min-h-touch w-full shrink-0 items-center justify-center gap-2 px-4 py-2 font-semibold"
      >
        <Icon aria-hidden="true" className="size-5" />
        {open ? texts.hidePanel : texts.showPanel}
      </button>
      {open && (
        <div className="min-h-0 overflow-y-auto overscroll-contain border-line border-t pb-[env(safe-area-inset-bottom)]">
          <PanelContent {...props} />
        </div>
      )}
    </aside>
  )
}
