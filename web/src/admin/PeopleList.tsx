import type { AccessRequest } from '#contract/people.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useKeepFocus } from '../ui/use-keep-focus.ts'
import { type List, PersonRow } from './PersonRow.tsx'
import { texts } from './texts.ts'

/** The people of one tab. When the row with the focus leaves, the focus stays with the list. */
export function PeopleList({ list, people }: { list: List; people: readonly AccessRequest[] }) {
  const keepFocus = useKeepFocus<HTMLDivElement>()
  const admins = list === 'approved' ? people.filter(({ role }) => role === 'admin') : []
  const lastAdmin = admins.length === 1 ? admins[0] : undefined
  return (
    <div {...keepFocus} className="rounded-card">
      {people.length === 0 ? (
        <div className="p-6">
          <EmptyState {...texts[list].empty} />
        </div>
      ) : (
        <ul className="divide-y divide-line">
          {people.map(person => (
            <PersonRow key={person.id} list={list} person={person} isLastAdmin={person === lastAdmin} />
          ))}
        </ul>
      )}
    </div>
  )
}
