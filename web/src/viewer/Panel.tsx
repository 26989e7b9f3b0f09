import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import type { FileActs } from '../kit/viewed-file.ts'
import { Details } from './details/Details.tsx'
import { NameField } from './details/NameField.tsx'
import { texts } from './texts.ts'

interface Props {
  file: MediaFile
  metadata: PhotoMetadata | null | undefined
  acts: FileActs
  tags: ReactNode
  notes: ReactNode
  /** Below the photo where there is no room beside it; there it has a button of its own. */
  place: 'beside' | 'below'
  open: boolean
  onToggle: () => void
}

/** What the family knows and says of a photo. */
export function Panel({ place, open, onToggle, ...content }: Props) {
  if (place === 'below') {
    return (
      <Drawer open={open} onToggle={onToggle}>
        <Content {...content} />
      </Drawer>
    )
  }
  if (!open) return null
  return (
    <aside aria-label={texts.panel} className="viewer-panel w-[22rem] shrink-0 overflow-y-auto">
      <Content {...content} />
    </aside>
  )
}

function Content({ file, metadata, acts, tags, notes }: Omit<Props, 'place' | 'open' | 'onToggle'>) {
  return (
    <div className="flex flex-col gap-6 p-5">
      {/* Not the id alone: the notes beside it have that as their key. */}
      <NameField key={`name-${file.id}`} file={file} onRename={acts.rename} />
      {notes}
      {tags}
      <Details file={file} metadata={metadata} onMove={acts.move} />
    </div>
  )
}

/** Folded away until it is asked for. */
function Drawer({ open, onToggle, children }: { open: boolean; onToggle: () => void; children: ReactNode }) {
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
          {children}
        </div>
      )}
    </aside>
  )
}
