import { WifiOff } from 'lucide-react'
import { texts } from '../texts.ts'

/** Over the largest picture that this browser has, while the server cannot be reached. */
export function SmallCopy() {
  return (
    <p
      role="status"
      className="viewer-chip pointer-events-none absolute bottom-20 left-1/2 w-max max-w-[calc(100%-1.5rem)] -translate-x-1/2"
    >
      <WifiOff aria-hidden="true" className="size-5 shrink-0" />
      {texts.smallCopy}
    </p>
  )
}
