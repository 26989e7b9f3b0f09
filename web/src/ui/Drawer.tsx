import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { CloseOnBack } from './CloseOnBack.tsx'
import { IconButton } from './IconButton.tsx'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Focused after closing. */
  returnFocusTo: RefObject<HTMLElement | null>
  title: string
  closeLabel: string
  children: ReactNode
}

/** Slides in from the left, on screens without room for a side panel. */
export function Drawer({ open, onOpenChange, returnFocusTo, title, closeLabel, children }: Props) {
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim motion-calm transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          finalFocus={returnFocusTo}
          className="drawer fixed inset-y-0 left-0 z-40 flex w-[min(22rem,88vw)] flex-col pt-(--top-inset) pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]"
        >
          <CloseOnBack onBack={() => onOpenChange(false)} />
          <div className="flex items-center justify-between gap-2 py-2 pr-2 pl-5">
            <BaseDialog.Title className="font-semibold text-lead">{title}</BaseDialog.Title>
            <BaseDialog.Close
              render={
                <IconButton label={closeLabel}>
                  <X aria-hidden="true" className="size-5" />
                </IconButton>
              }
            />
          </div>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
