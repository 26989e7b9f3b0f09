import { Popover } from '@base-ui/react/popover'
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { CloseOnBack } from './CloseOnBack.tsx'
import { IconButton } from './IconButton.tsx'

interface Props {
  /** Omitted: uncontrolled. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  trigger: ReactElement
  title: string
  closeLabel: string
  /** Shown next to the title. */
  actions?: ReactNode
  /** Without padding, for lists. */
  flush?: boolean
  /** Whether its trigger has a fixed position. */
  fixed?: boolean
  children: ReactNode
}

/** A non-modal popover below its trigger. */
export function Panel(props: Props) {
  const { open, onOpenChange, trigger, title, closeLabel, actions, flush = false, fixed = false, children } = props
  const popover = useRef<Popover.Root.Actions>(null)
  return (
    <Popover.Root actionsRef={popover} open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner
          align="end"
          sideOffset={8}
          collisionPadding={12}
          positionMethod={fixed ? 'fixed' : 'absolute'}
          className="z-30"
        >
          <Popover.Popup className="panel popup flex max-h-[min(var(--available-height),40rem)] w-[min(26rem,calc(100vw-24px))] flex-col">
            <CloseOnBack onBack={() => popover.current?.close()} />
            <div className="flex items-start gap-x-1 border-line border-b py-1 pr-1 pl-4">
              <div className="flex min-h-touch min-w-0 flex-1 flex-wrap items-center gap-x-1">
                <Popover.Title className="mr-auto font-semibold text-lead">{title}</Popover.Title>
                {actions}
              </div>
              <Popover.Close
                render={
                  <IconButton label={closeLabel}>
                    <X aria-hidden="true" className="size-5" />
                  </IconButton>
                }
              />
            </div>
            <div className={`min-h-0 overflow-y-auto overscroll-contain ${flush ? '' : 'p-4'}`}>{children}</div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
