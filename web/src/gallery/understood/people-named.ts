import { plain } from '#contract/date-words/lookup.ts'
import type { SearchVocabulary } from '#contract/read-search.ts'
import type { FilterChoice } from '../typed-date.ts'

const MOST = 5

/** The people of whose names the last typed word is the beginning. A single letter begins too many. */
export function peopleBeginningWith(draft: string, { people = [] }: SearchVocabulary): FilterChoice[] {
  const word = plain(/\S+$/.exec(draft)?.[0] ?? '')
  if (word.length < 2) return []
  const found = people.filter(({ name, username }) =>
    [...plain(name).split(/\s+/), plain(username)].some(part => part.startsWith(word)),
  )
  return found.slice(0, MOST).map(({ id, name }) => ({ value: id, label: name }))
}

/** The text without the word that is being typed. */
export function withoutLastWord(draft: string): string {
  return draft.replace(/\S+\s*$/, '').trim()
}
