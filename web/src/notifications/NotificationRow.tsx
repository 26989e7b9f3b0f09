import { AtSign, Bell, Check, MessageCircle, StickyNote, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Notification, NotificationTarget, NotificationType } from '#contract/notifications.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { backgroundColour } from '../media/thumbhash.ts'
import { onSingleClick } from '../ui/hooks.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { noticeInWords } from './notice-in-words.ts'
import { useDelete, useMarkRead } from './queries.ts'
import { relativeTime } from './relative-time.ts'
import { texts } from './texts.ts'

const icons: Record<NotificationType, typeof Bell> = {
  mention: AtSign,
  tag: Tag,
  comment: StickyNote,
  message: MessageCircle,
  other: Bell,
}

interface Props {
  notification: Notification
  now: number
  onOpen: (target: NotificationTarget) => void
}

export function NotificationRow({ notification, now, onOpen }: Props) {
  const { id, read, target } = notification
  const markRead = useMarkRead()
  const remove = useDelete()

  function open() {
    if (!read) void markRead.run({ params: { id } })
    if (target !== null) onOpen(target)
  }
  return (
    <li className="flex items-start hover:bg-sunken">
      <button
        type="button"
        onClick={open}
        className="flex min-w-0 flex-1 items-start gap-3 py-3 pl-4 text-left focus-visible:outline-offset-[-3px]"
      >
        <NotificationContent notification={notification} now={now} />
      </button>
      <div className="flex shrink-0 py-1 pr-1">
        {!read && (
          <IconButton
            label={texts.markRead}
            disabled={markRead.busy}
            onClick={() => void markRead.run({ params: { id } })}
          >
            <Check aria-hidden="true" className="size-5" />
          </IconButton>
        )}
        <IconButton
          label={texts.delete}
          disabled={remove.busy}
          onClick={onSingleClick(() => void remove.run({ params: { id } }))}
        >
          <Trash2 aria-hidden="true" className="size-5 text-ink-soft" />
        </IconButton>
      </div>
    </li>
  )
}

/** The photo it is about, with the sign of its kind in a corner; the sign alone where there is none. */
function NotificationPicture({ notification: { type, read, picture } }: Pick<Props, 'notification'>) {
  const [failed, setFailed] = useState(false)
  const Icon = icons[type]
  const unread = !read && (
    <span className="-top-0.5 -right-0.5 absolute size-3 rounded-full border-2 border-raised bg-accent" />
  )
  if (picture == null || failed) {
    return (
      <span
        className={`relative mt-0.5 grid size-9 shrink-0 place-items-center rounded-full ${read ? 'bg-sunken text-ink-soft' : 'bg-accent-wash text-accent-strong'}`}
      >
        <Icon role="img" aria-label={texts.kinds[type]} className="size-5" />
        {unread}
      </span>
    )
  }
  return (
    <span className="relative mt-0.5 size-14 shrink-0">
      <img
        src={picture.thumbnail_url}
        alt=""
        loading="lazy"
        onError={() => setFailed(true)}
        style={{ backgroundColor: picture.thumbhash === null ? undefined : backgroundColour(picture.thumbhash) }}
        className="size-full rounded-photo bg-sunken object-cover"
      />
      <span className="-right-1 -bottom-1 absolute grid size-6 place-items-center rounded-full border-2 border-raised bg-accent-wash text-accent-strong">
        <Icon role="img" aria-label={texts.kinds[type]} className="size-3.5" />
      </span>
      {unread}
    </span>
  )
}

function NotificationContent({ notification, now }: Omit<Props, 'onOpen'>) {
  const { read, created_at } = notification
  const { title, message } = noticeInWords(notification)
  return (
    <>
      <NotificationPicture notification={notification} />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className={`wrap-anywhere leading-snug ${read ? '' : 'font-semibold'}`} dir="auto">
          {title}
          {!read && <span className="sr-only"> ({texts.unread})</span>}
        </span>
        <span className="wrap-anywhere line-clamp-3 text-small" dir="auto">
          {message}
        </span>
        <time dateTime={created_at} title={formatDateAndTime(created_at)} className="text-fine text-ink-soft">
          {relativeTime(created_at, now)}
        </time>
      </span>
    </>
  )
}
