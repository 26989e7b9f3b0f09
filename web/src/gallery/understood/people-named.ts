import { plain } from '#contract/date-words/lookup.ts'
import type { SearchVocabulary } from '#contract/read-search.ts'
import { isOneOf } from '#contract/search-words.ts'
import type { FilterChoice } from '../typed-date.ts'

const MOST = 5

/**
 * The people of whose names the last typed word is the beginning, to filter by what they added. A single letter begins too
 * many, and after "loved by" another filter is meant.
 */
export function peopleBeginningWith(draft: string, { people = [] }: SearchVocabulary): FilterChoice[] {
  const word = plain(/\S+$/.exec(draft)?.[0] ?? '')
  if (word.length < 2 || isOneOf('lovedBy', wordsBefore(draft).slice(-2).map(plainWord).join(' '))) return []
  const found = people.filter(({ name, username }) =>
    [...plain(name).split(/\s+/), plain(username)].some(part => part.startsWith(word)),
  )
  return found.slice(0, MOST).map(({ id, name }) => ({ value: id, label: name }))
}

/** The text without the word that is being typed, and without what only introduces it, as in "Lisbon photos by Ko". */
export function withoutLastName(draft: string): string {
  const words = wordsBefore(draft)
  return words.slice(0, words.findLastIndex(word => !introducesName(plainWord(word))) + 1).join(' ')
}

function introducesName(word: string): boolean {
  return isOneOf('by', word) || isOneOf('things', word) || isOneOf('fillers', word)
}

/** The words that were typed before the last one. */
function wordsBefore(draft: string): string[] {
  return draft.trim().split(/\s+/).slice(0, -1)
}

function plainWord(word: string): string {
  return plain(word, 'en')
}
