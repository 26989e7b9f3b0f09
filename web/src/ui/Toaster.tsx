import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react'
import { createPortal } from 'react-dom'
import { Toaster as Sonner } from 'sonner'

interface Props {
  /** How long a toast stays, in milliseconds. */
  duration: number
  label: string
  closeLabel: string
}

/** A portal, so that toasts appear above dialogs. */
export function Toaster({ duration, label, closeLabel }: Props) {
  return createPortal(
    <Sonner
      position="top-right"
      duration={duration}
      // Below the top bar.
      offset={{ top: '5rem', right: '1rem' }}
      mobileOffset={{ top: '4.5rem', right: '0.75rem', left: '0.75rem' }}
      containerAriaLabel={label}
      closeButton
      icons={{
        close: <X aria-hidden="true" className="size-4" />,
        success: <CircleCheck aria-hidden="true" className="size-5 text-ok" />,
        error: <CircleAlert aria-hidden="true" className="size-5 text-danger" />,
        warning: <TriangleAlert aria-hidden="true" className="size-5 text-warn" />,
      }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: closeLabel,
        classNames: {
          toast: 'toast',
          title: 'font-semibold',
          description: 'text-small text-ink-soft',
          closeButton: 'toast-close',
          actionButton: 'toast-action',
        },
      }}
    />,
    document.body,
  )
}
