import { Users } from 'lucide-react'
import type { Conversation } from '#contract/chat.ts'
import type { User } from '#contract/people.ts'
import { formatBadge } from '../../kit/format.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { texts } from '../texts.ts'
import { listTime } from '../times.ts'
import { previewOf } from './preview.ts'

interface Props {
  conversation: Conversation
  me: User
  now: number
  onOpen: (id: number) => void
}

export function ConversationRow({ conversation, me, now, onOpen }: Props) {
  const { id, type, unread_count, last_message_at, participant_count } = conversation
  const unread = unread_count > 0
  return (
    <li>
      <button
        type="button"
        onClick={() => onOpen(id)}
        className="flex w-full items-center gap-3 px-4 py-3 text-left hover:bg-sunken focus-visible:outline-offset-[-3px]"
      >
        <ConversationAvatar conversation={conversation} me={me} />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1 truncate font-semibold" dir="auto">
              {titleOf(conversation)}
            </span>
            {last_message_at !== null && (
              <time dateTime={last_message_at} className="shrink-0 text-fine text-ink-soft">
                {listTime(last_message_at, now)}
              </time>
            )}
          </span>
          <span className="flex items-center gap-2">
            <span
              className={`min-w-0 flex-1 truncate text-small ${unread ? 'font-semibold' : 'text-ink-soft'}`}
              dir="auto"
            >
              {previewOf(conversation, me.username)}
            </span>
            {unread && (
              <span className="inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-accent px-1.5 font-semibold text-[12px] text-accent-ink leading-none">
                <span aria-hidden="true">{formatBadge(unread_count)}</span>
                <span className="sr-only">{texts.list.unread({ count: unread_count })}</span>
              </span>
            )}
          </span>
          {type === 'group' && (
            <span className="text-fine text-ink-soft">{texts.list.participants({ count: participant_count })}</span>
          )}
        </span>
      </button>
    </li>
  )
}

export function titleOf({ title }: Conversation): string {
  return title === '' ? texts.list.untitled : title
}

/** The other person's avatar, or the group icon. */
function ConversationAvatar({ conversation, me }: { conversation: Conversation; me: User }) {
  const { type, participants } = conversation
  const other = participants.find(({ id }) => id !== me.id)
  if (type === 'direct') return <Avatar name={titleOf(conversation)} src={other?.avatar_url ?? null} />
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-accent-wash text-accent-strong"
    >
      <Users className="size-5" />
    </span>
  )
}
