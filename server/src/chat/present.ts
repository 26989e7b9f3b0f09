import type { Conversation, Message, Participant, SharedFile } from '#contract/chat.ts'
import { toIso } from '../kit/clock.ts'
import type { AvatarUrl } from '../people/public.ts'
import type { ConversationRow, ParticipantRow } from './conversations.sql.ts'
import type { MessageWithSender } from './messages.sql.ts'

export function asConversation(
  row: ConversationRow,
  people: readonly ParticipantRow[],
  { viewerId, avatarUrl }: { viewerId: number; avatarUrl: AvatarUrl },
): Conversation {
  // A group hides participants who lost access; a direct conversation still needs its other person.
  const present = row.type === 'direct' ? people : people.filter(person => person.status === 'approved')
  const other = people.find(person => person.id !== viewerId)
  return {
    id: row.id,
    type: row.type,
    title: row.title ?? other?.name ?? '',
    unread_count: row.unread,
    last_message: row.last_message,
    last_message_at: row.last_message_at === null ? null : toIso(row.last_message_at),
    last_message_sender: row.last_message_sender,
    last_message_file: row.last_message_file,
    participant_count: present.length,
    participants: present.map(person => asParticipant(person, avatarUrl)),
  }
}

function asParticipant(person: ParticipantRow, avatarUrl: AvatarUrl): Participant {
  return {
    id: person.id,
    username: person.username,
    name: person.name,
    avatar_url: person.avatar_key && avatarUrl(person.avatar_key),
    last_read_id: person.last_read_id,
    last_read_at: person.last_read_at === null ? null : toIso(person.last_read_at),
  }
}

export function asMessage(
  row: MessageWithSender,
  files: ReadonlyMap<number, SharedFile>,
  avatarUrl: AvatarUrl,
): Message {
  return {
    id: row.id,
    content: row.content,
    sender_id: row.sender_id,
    sender_name: row.sender_name,
    sender_username: row.sender_username,
    sender_avatar_url: row.avatar_key && avatarUrl(row.avatar_key),
    created_at: toIso(row.created_at),
    client_id: row.client_id,
    media_id: row.media_id,
    media: row.media_id === null ? null : (files.get(row.media_id) ?? null),
  }
}
