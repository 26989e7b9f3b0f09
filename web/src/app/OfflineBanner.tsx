import { onlineManager } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { texts } from './texts.ts'

/** Shown while the browser is offline. */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    listener => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-warn-wash px-4 py-2 text-center text-small text-warn">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          {texts.offline}
        </p>
      )}
    </div>
  )
}
