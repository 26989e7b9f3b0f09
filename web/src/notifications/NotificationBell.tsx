import { Bell } from 'lucide-react'
import { useState } from 'react'
import type { NotificationTarget } from '#contract/notifications.ts'
import { formatBadge } from '../kit/format.ts'
import { useUnreadInTitle } from '../kit/page-title.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { NotificationList } from './NotificationList.tsx'
import { useMarkAllRead, useUnreadCount } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  onOpen: (target: NotificationTarget) => void
}

export function NotificationBell({ onOpen }: Props) {
  const [open, setOpen] = useState(false)
  const unread = useUnreadCount()
  const markAllRead = useMarkAllRead()
  useUnreadInTitle(unread)

  function show(target: NotificationTarget) {
    setOpen(false)
    onOpen(target)
  }
  return (
    <Panel
      flush
      fixed
      open={open}
      onOpenChange={setOpen}
      title={texts.title}
      closeLabel={texts.close}
      trigger={
        <IconButton label={unread === 0 ? texts.title : texts.titleWithUnread(unread)}>
          <span className="relative">
            <Bell aria-hidden="true" className="size-5" />
            {unread > 0 && <Badge on="icon">{formatBadge(unread)}</Badge>}
          </span>
        </IconButton>
      }
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
