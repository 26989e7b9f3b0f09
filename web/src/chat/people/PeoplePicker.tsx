import { Check, X } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '#contract/people.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { texts } from '../texts.ts'
import { filterPeople } from './filter-people.ts'

interface Props {
  people: readonly Person[]
  chosen: readonly number[]
  onToggle: (id: number) => void
}

/** Search and selection of people, with the chosen ones as chips. */
export function PeoplePicker({ people, chosen, onToggle }: Props) {
  const [search, setSearch] = useState('')
  const found = filterPeople(people, search)
  return (
    <div className="flex flex-col gap-3">
      <Chips people={people.filter(({ id }) => chosen.includes(id))} onRemove={onToggle} />
      <div className="flex">
        <SearchField
          label={texts.people.search}
          placeholder={texts.people.search}
          clearLabel={texts.people.clear}
          value={search}
          onChange={setSearch}
        />
      </div>
      <ul aria-label={texts.people.list} className="h-56 overflow-y-auto rail:h-36 rounded-control border border-line">
        {found.map(person => (
          <PersonRow key={person.id} person={person} chosen={chosen.includes(person.id)} onToggle={onToggle} />
        ))}
        {found.length === 0 && (
          <li className="p-6 text-center text-ink-soft">
            {people.length === 0 ? texts.people.nobody : texts.people.nobodyFound({ search })}
          </li>
        )}
      </ul>
    </div>
  )
}

function Chips({ people, onRemove }: { people: readonly Person[]; onRemove: (id: number) => void }) {
  if (people.length === 0) return null
  return (
    <ul aria-label={texts.people.chosen} className="flex max-h-24 flex-wrap gap-2 overflow-y-auto">
      {people.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            aria-label={texts.people.remove({ name })}
            title={texts.people.remove({ name })}
            onClick={() => onRemove(id)}
            className="inline-flex min-h-touch max-w-full items-center gap-1.5 rounded-full bg-accent-wash px-4 font-semibold text-accent-strong text-small"
          >
            <bdi className="max-w-40 truncate">{name}</bdi>
            <X aria-hidden="true" className="size-4 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface RowProps {
  person: Person
  chosen: boolean
  onToggle: (id: number) => void
}

function PersonRow({ person: { id, name, username, email }, chosen, onToggle }: RowProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={chosen}
        onClick={() => onToggle(id)}
        className="flex min-h-touch w-full items-center gap-3 px-3 py-2 text-left hover:bg-sunken focus-visible:outline-offset-[-3px]"
      >
        <Avatar name={name} src={null} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold leading-snug" dir="auto">
            {name}
          </span>
          <span className="block truncate text-ink-soft text-small leading-snug">
            @{username}
            {email && ` · ${email}`}
          </span>
        </span>
        {chosen && <Check aria-hidden="true" className="size-5 shrink-0 text-accent" />}
      </button>
    </li>
  )
}
