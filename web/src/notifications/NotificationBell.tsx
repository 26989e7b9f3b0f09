import { Bell } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react'
import type { NotificationTarget } from '#contract/notifications.ts'
import { formatBadge } from '../kit/format.ts'
import { recordMoment } from '../kit/moments.ts'
import { useUnreadInTitle } from '../kit/page-title.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { prefetchedDialog } from '../ui/prefetched-lazy.ts'
import { useMarkAllRead, useUnreadCount } from './queries.ts'
import { texts } from './texts.ts'

const NotificationList = prefetchedDialog(async () => (await import('./NotificationList.tsx')).NotificationList)

interface Props {
  /** Kept by the parent, because another screen size has another bell. */
  open: boolean
  onOpenChange: (open: boolean) => void
  onOpen: (target: NotificationTarget) => void
  /** By default an icon button. */
  renderTrigger?: (label: string, icon: ReactNode) => ReactElement
}

export function NotificationBell({ open, onOpenChange, onOpen, renderTrigger = iconButton }: Props) {
  const known = useUnreadCount()
  const unread = known ?? 0
  const markAllRead = useMarkAllRead()
  useUnreadInTitle(unread)
  useMoment(known)

  function show(target: NotificationTarget) {
    onOpenChange(false)
    onOpen(target)
  }
  return (
    <Panel
      flush
      fixed
      open={open}
      onOpenChange={onOpenChange}
      title={texts.title}
      closeLabel={texts.close}
      trigger={renderTrigger(
        unread === 0 ? texts.title : texts.titleWithUnread({ unread }),
        <BellIcon unread={unread} />,
      )}
      actions={
        unread > 0 && (
          <Button variant="bare" busy={markAllRead.busy} onClick={() => void markAllRead.run({})}>
            {texts.markAllRead}
          </Button>
        )
      }
    >
      <NotificationList onOpen={show} />
    </Panel>
  )
}

/** Something of others arrived while the page is open. */
function useMoment(unread: number | undefined): void {
  const before = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (unread === undefined) return
    if (before.current !== undefined && unread > before.current) recordMoment()
    before.current = unread
  }, [unread])
}

function iconButton(label: string, icon: ReactNode) {
  return <IconButton label={label}>{icon}</IconButton>
}

function BellIcon({ unread }: { unread: number }) {
  return (
    <span className="relative">
      <Bell aria-hidden="true" className="size-5 tabs:size-6" />
      {unread > 0 && <Badge on="icon">{formatBadge(unread)}</Badge>}
    </span>
  )
}
