import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from './Button.tsx'
import { CloseOnBack } from './CloseOnBack.tsx'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** What will happen. */
  text: string
  confirmLabel: string
  harmless?: boolean | undefined
  cancelLabel: string
  onConfirm: () => void
}

/** Asks before an action; `harmless` if nothing is lost by it. A bottom sheet on phones, centred elsewhere. */
export function ConfirmDialog({ open, onOpenChange, ...props }: Props) {
  const { title, text, confirmLabel, cancelLabel, harmless = false, onConfirm } = props
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-scrim motion-calm transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <AlertDialog.Viewport className="fixed inset-x-0 top-0 bottom-(--keyboard) z-40 flex items-end justify-center overflow-y-auto sm:items-center sm:p-6">
          <AlertDialog.Popup
            initialFocus={cancel}
            className="sheet flex w-full flex-col gap-3 p-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] sm:max-w-md"
          >
            <CloseOnBack onBack={() => onOpenChange(false)} />
            <AlertDialog.Title className="wrap-anywhere font-semibold text-lead">{title}</AlertDialog.Title>
            <AlertDialog.Description className="wrap-anywhere text-ink-soft">{text}</AlertDialog.Description>
            <div className="mt-3 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
              <AlertDialog.Close render={<Button ref={cancel}>{cancelLabel}</Button>} />
              <Button variant={harmless ? 'primary' : 'danger'} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
