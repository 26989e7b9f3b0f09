import type { Person } from '#contract/people.ts'
import { formatDateAndTime } from '../../kit/format.ts'
import { outbox } from '../../kit/outbox/page-outbox.ts'
import { MentionText } from '../../mentions/MentionText.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { texts } from '../texts.ts'
import { dayLabel, readTime, timeOfDay } from '../times.ts'
import { PhotoCard } from './PhotoCard.tsx'
import type { Row } from './rows.ts'

interface Props {
  row: Row
  people: readonly Person[]
  now: number
  inGroup: boolean
  /** When the other person read it; shown below the last message they have read. */
  readAt: string | undefined
  onOpenPhoto: (mediaId: number) => void
}

export function MessageRow({ row, people, now, inGroup, readAt, onOpenPhoto }: Props) {
  const { message, mine, pending, newDay, newSender } = row
  return (
    <div data-row={row.key}>
      {newDay && (
        <p className="py-3 text-center font-semibold text-fine text-ink-soft">{dayLabel(message.created_at, now)}</p>
      )}
      <div className={`flex items-end gap-2 ${mine ? 'justify-end pl-10' : 'pr-10'} ${newSender ? 'pt-3' : 'pt-1'}`}>
        {inGroup && !mine && <Sender row={row} />}
        <Bubble row={row} people={people} inGroup={inGroup} onOpenPhoto={onOpenPhoto} />
      </div>
      {pending !== undefined && <PendingStatus pending={pending} />}
      {readAt !== undefined && (
        <p className="pt-0.5 text-right text-fine text-ink-soft">
          {texts.conversation.read({ when: readTime(readAt, now) })}
        </p>
      )}
    </div>
  )
}

/** Only the first of several messages has an avatar. */
function Sender({ row: { message, newSender } }: { row: Row }) {
  return (
    <span className="w-9 shrink-0 self-start">
      {newSender && <Avatar name={message.sender_name} src={message.sender_avatar_url} />}
    </span>
  )
}

function Bubble({ row, people, inGroup, onOpenPhoto }: Pick<Props, 'row' | 'people' | 'inGroup' | 'onOpenPhoto'>) {
  const { message, mine, pending, newSender } = row
  const { content, created_at, media_id, media, sender_name } = message
  return (
    <div
      className={`flex min-w-0 max-w-full flex-col gap-1 rounded-card px-3 py-2 ${mine ? 'bg-accent-wash' : 'bg-sunken'} ${pending === undefined ? '' : 'opacity-80'}`}
    >
      {/* For screen readers: the sender is otherwise visible only by the side. */}
      {inGroup && !mine && newSender ? (
        <span className="truncate font-semibold text-accent-strong text-fine" dir="auto">
          {sender_name}
        </span>
      ) : (
        <span className="sr-only">{mine ? texts.group.you : sender_name}:</span>
      )}
      {media_id !== null && <PhotoCard media={media} onOpen={onOpenPhoto} />}
      {content !== '' && <MentionText text={content} people={people} />}
      <time
        dateTime={created_at}
        title={formatDateAndTime(created_at)}
        className="self-end text-[11px] text-ink-soft leading-none"
      >
        {timeOfDay(created_at)}
      </time>
    </div>
  )
}

function PendingStatus({ pending: { id, state } }: { pending: NonNullable<Row['pending']> }) {
  if (state === 'sending') {
    return <p className="pt-0.5 text-right text-fine text-ink-soft">{texts.conversation.sending}</p>
  }
  const link = 'min-h-touch px-1 font-semibold underline underline-offset-2'
  return (
    <p role="alert" className="flex items-center justify-end gap-1 text-fine">
      <span className="text-danger">{texts.conversation.notSent}</span>
      <button type="button" className={`${link} text-danger`} onClick={() => outbox.retry()}>
        {texts.conversation.tryAgain}
      </button>
      <button type="button" className={`${link} text-ink-soft`} onClick={() => void outbox.discard(id)}>
        {texts.conversation.discard}
      </button>
    </p>
  )
}
