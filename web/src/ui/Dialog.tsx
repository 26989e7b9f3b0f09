import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { CloseOnBack } from './CloseOnBack.tsx'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** As wide as the window allows, for a picture. */
  large?: boolean
  /** Focused when it opens; the first control by default. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Focused when it closes; what was focused before it opened by default, also where it returns true. */
  finalFocus?: () => HTMLElement | true
  children: ReactNode
}

/** A bottom sheet on phones, centred elsewhere. */
export function Dialog({ open, onOpenChange, title, large = false, initialFocus, finalFocus, children }: Props) {
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim motion-calm transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Viewport className="@container/dialog fixed inset-x-0 top-0 bottom-(--keyboard) z-40 flex items-end justify-center sm:items-center sm:p-6 rail:py-2">
          <BaseDialog.Popup
            initialFocus={initialFocus}
            finalFocus={finalFocus}
            className={`sheet flex max-h-[min(92svh,100%)] w-full flex-col gap-4 overflow-y-auto p-6 pb-(--sheet-bottom) [--sheet-bottom:max(1.5rem,env(safe-area-inset-bottom))] ${large ? 'sm:w-auto sm:max-w-full' : 'sm:max-w-md'} rail:gap-3 rail:pt-4 rail:[--sheet-bottom:1rem]`}
          >
            <CloseOnBack onBack={() => onOpenChange(false)} />
            <BaseDialog.Title className="wrap-anywhere font-semibold text-lead">{title}</BaseDialog.Title>
            {children}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** The main button comes last, on phones first. They stay in sight while a long dialog scrolls, unless large text leaves it no room. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <div className="dialog-buttons -mx-6 -mb-(--sheet-bottom) -bottom-(--sheet-bottom) sticky z-10 @max-[16rem]/dialog:static flex flex-col-reverse gap-3 bg-raised px-6 pt-2 pb-(--sheet-bottom) sm:flex-row sm:justify-end">
      {children}
    </div>
  )
}
