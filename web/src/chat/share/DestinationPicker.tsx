import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#contract/chat.ts'
import type { Person } from '#contract/people.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { titleOf } from '../list/ConversationRow.tsx'
import { filterPeople } from '../people/filter-people.ts'
import { texts } from '../texts.ts'

interface Props {
  destinations: readonly Destination[]
  /** The key of the chosen one. */
  chosen: string | undefined
  onChoose: (destination: Destination) => void
}

export function DestinationPicker({ destinations, chosen, onChoose }: Props) {
  const [search, setSearch] = useState('')
  const named = destinations.map(destination => ({ ...destination, name: destination.title }))
  const found = filterPeople(named, search)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex">
        <SearchField
          label={texts.share.search}
          placeholder={texts.share.search}
          clearLabel={texts.people.clear}
          value={search}
          onChange={setSearch}
        />
      </div>
      <ul aria-label={texts.share.where} className="h-56 overflow-y-auto rail:h-36 rounded-control border border-line">
        {found.map(destination => (
          <li key={destination.key}>
            <button
              type="button"
              aria-pressed={destination.key === chosen}
              onClick={() => onChoose(destination)}
              className="flex min-h-touch w-full items-center gap-3 px-3 py-2 text-left hover:bg-sunken focus-visible:outline-offset-[-3px]"
            >
              <Avatar name={destination.title} src={null} />
              <bdi className="min-w-0 flex-1 truncate font-semibold">{destination.title}</bdi>
              {destination.key === chosen && <Check aria-hidden="true" className="size-5 shrink-0 text-accent" />}
            </button>
          </li>
        ))}
        {found.length === 0 && (
          <li className="p-6 text-center text-ink-soft">
            {destinations.length === 0 ? texts.people.nobody : texts.share.nothingFound({ search })}
          </li>
        )}
      </ul>
    </div>
  )
}

/** An existing conversation, or a person without one. */
export type Destination =
  | { key: string; title: string; username: string; conversationId: number }
  | { key: string; title: string; username: string; personId: number }

/** Conversations by latest activity, then everyone else. */
export function buildDestinations(
  conversations: readonly Conversation[],
  people: readonly Person[],
  myId: number,
): Destination[] {
  const partnerIds = new Set(
    conversations
      .filter(({ type }) => type === 'direct')
      .flatMap(({ participants }) => participants.map(({ id }) => id)),
  )
  const otherPeople = people.filter(({ id }) => id !== myId && !partnerIds.has(id))
  return [
    ...conversations.map(conversation => ({
      key: `conversation ${conversation.id}`,
      title: titleOf(conversation),
      username: '',
      conversationId: conversation.id,
    })),
    ...otherPeople.map(({ id, name, username }) => ({ key: `person ${id}`, title: name, username, personId: id })),
  ]
}
