import { WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { checkReachable, useReachable } from '../kit/reachability.ts'
import { texts } from './texts.ts'

/**
 * Shown on every screen and above dialogs while the server cannot be reached. It lets clicks pass, so that it is in
 * nobody's way; on phones, where it is as wide as the screen, `--top-inset` keeps titles below it.
 */
export function ConnectionBanner() {
  const reachable = useReachable()
  useEffect(() => {
    const check = () => void checkReachable()
    if (!navigator.onLine) check()
    window.addEventListener('offline', check)
    return () => window.removeEventListener('offline', check)
  }, [])
  return createPortal(
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-0 z-[70] flex justify-center px-2 pt-[env(safe-area-inset-top)]"
    >
      {!reachable && (
        <p className="connection-banner flex items-center gap-2 rounded-b-control bg-warn-wash px-3 py-0.5 text-center text-fine text-warn shadow-high">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          {navigator.onLine ? texts.unreachable : texts.offline}
        </p>
      )}
    </div>,
    document.body,
  )
}
