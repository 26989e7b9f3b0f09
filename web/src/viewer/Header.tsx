import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { texts } from './texts.ts'
import { ViewerButton } from './ViewerButton.tsx'

interface Props {
  name: string | undefined
  index: number | undefined
  total: number
  children: ReactNode
}

export function Header({ name, index, total, children }: Props) {
  const position = index === undefined ? undefined : texts.position(index, total)
  return (
    <div className="viewer-header viewer-chrome">
      <div className="viewer-title">
        <Dialog.Title className="min-w-0 truncate font-sans font-semibold text-body">
          <bdi>{name ?? texts.loading}</bdi>
        </Dialog.Title>
        {position !== undefined && <span className="whitespace-nowrap text-small opacity-80">{position}</span>}
        {/* Who cannot see the photo change hears which one it is now. */}
        <span role="status" className="sr-only">
          {name !== undefined && [name, position].filter(Boolean).join(', ')}
        </span>
      </div>
      {children}
      <Dialog.Close
        render={
          <ViewerButton label={texts.close}>
            <X aria-hidden="true" className="size-6" />
          </ViewerButton>
        }
      />
    </div>
  )
}
