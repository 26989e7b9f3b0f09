import type { Conversation } from '#contract/chat.ts'
import type { Person } from '#contract/people.ts'
import { titleOf } from '../list/ConversationRow.tsx'

/** Where something can be sent: a conversation there is, or a person one has not talked with yet. */
export type Destination =
  | { key: string; title: string; username: string; conversationId: number }
  | { key: string; title: string; username: string; personId: number }

/** The conversations, the liveliest first, and then everyone else. */
export function buildDestinations(
  conversations: readonly Conversation[],
  people: readonly Person[],
  myId: number,
): Destination[] {
  const talkedWith = new Set(
    conversations
      .filter(({ type }) => type === 'direct')
      .flatMap(({ participants }) => participants.map(({ id }) => id)),
  )
  const strangers = people.filter(({ id }) => id !== myId && !talkedWith.has(id))
  return [
    ...conversations.map(conversation => ({
      key: `conversation ${conversation.id}`,
      title: titleOf(conversation),
      username: '',
      conversationId: conversation.id,
    })),
    ...strangers.map(({ id, name, username }) => ({ key: `person ${id}`, title: name, username, personId: id })),
  ]
}
