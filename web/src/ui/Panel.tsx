import { Popover } from '@base-ui/react/popover'
import { X } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'

interface Props {
  trigger: ReactElement
  title: string
  closeLabel: string
  /** Where it opens from its trigger. */
  side?: 'top' | 'bottom'
  children: ReactNode
}

/** A small sheet that opens beside its trigger and leaves the page usable. */
export function Panel({ trigger, title, closeLabel, side = 'bottom', children }: Props) {
  return (
    <Popover.Root>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner side={side} align="end" sideOffset={8} collisionPadding={12} className="z-30">
          <Popover.Popup className="popup flex max-h-(--available-height) w-[min(24rem,calc(100vw-24px))] flex-col">
            <div className="flex items-center justify-between gap-2 border-line border-b py-1 pr-1 pl-4">
              <Popover.Title className="font-semibold text-lead">{title}</Popover.Title>
              <Popover.Close
                render={
                  <IconButton label={closeLabel}>
                    <X aria-hidden="true" className="size-5" />
                  </IconButton>
                }
              />
            </div>
            <div className="overflow-y-auto p-4">{children}</div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
