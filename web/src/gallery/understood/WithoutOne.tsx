import { useQueries } from '@tanstack/react-query'
import type { MediaFilter } from '#contract/media-filter.ts'
import { listMedia } from '#contract/media-list.ts'
import { replacePart } from '#contract/read-search.ts'
import { query } from '../../kit/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { useChips } from '../filter-labels.ts'
import { type ChangeAddress, type GalleryAddress, listOf } from '../gallery-address.ts'
import { texts } from '../texts.ts'
import { labelOfPart } from './part-words.ts'
import { understand, useUnderstoodSearch } from './understood-search.ts'
import { useSearchVocabulary } from './vocabulary.ts'

interface Condition {
  label: string
  /** What drops it. */
  change: MediaFilter
}

/** As many as are counted: each is a query. */
const MOST = 6

interface CountedCondition extends Condition {
  count: number
}

/** Of several things that find nothing together: those without which there are files, and how many. */
export function useWithoutOne(address: GalleryAddress): CountedCondition[] {
  const { shown, parts } = useUnderstoodSearch(address)
  const { vocabulary } = useSearchVocabulary(Boolean(address.filter.search))
  const chips = useChips(address)
  const { search = '', type } = address.filter
  const { search: left = '' } = shown.filter
  const filtering = parts.filter(({ filter }) => Object.keys(filter).length > 0)
  const conditions: Condition[] = [
    ...filtering.map(part => ({ label: labelOfPart(part), change: { search: replacePart(search, part, '') } })),
    ...(left === '' ? [] : [{ label: left, change: { search: filtering.map(({ words }) => words).join(' ') } }]),
    ...chips.map(({ name, label }) => ({ label, change: { [name]: undefined } })),
    ...(type === undefined ? [] : [{ label: texts.type[type], change: { type: undefined } }]),
  ]
  const counted = conditions.length > 1 ? conditions.slice(0, MOST) : []
  const counts = useQueries({
    queries: counted.map(({ change }) => {
      const { shown } = understand({ ...address, filter: { ...address.filter, ...change } }, vocabulary)
      return { ...query(listMedia, { query: { ...listOf(shown), limit: 1 } }), staleTime: 60_000 }
    }),
  })
  return counted
    .map((condition, i) => ({ ...condition, count: counts[i]?.data?.count ?? 0 }))
    .filter(({ count }) => count > 0)
}

interface Props {
  found: readonly CountedCondition[]
  change: ChangeAddress
}

/** Offers to drop one of the things that were searched for together. */
export function WithoutOne({ found, change }: Props) {
  if (found.length === 0) return null
  return (
    <ul aria-label={texts.understood.together} className="flex flex-wrap justify-center gap-2">
      {found.map(({ label, change: filter, count }) => (
        <li key={`${Object.keys(filter)} ${label}`}>
          <Button onClick={() => change({ filter })}>{texts.understood.without({ label, count })}</Button>
        </li>
      ))}
    </ul>
  )
}
