import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listFamily } from '#contract/family.ts'
import { listPlaces } from '#contract/places.ts'
import type { SearchVocabulary } from '#contract/read-search.ts'
import { listTags } from '#contract/tags.ts'
import { useMe } from '../../kit/me.tsx'
import { query } from '../../kit/queries.ts'
import { suggestionsQuery } from '../suggestions.ts'

/** What the words of a search can name in this library. `pending`: some of it is still loading. */
export function useSearchVocabulary(enabled: boolean): { vocabulary: SearchVocabulary; pending: boolean } {
  const shared = { staleTime: 60_000, enabled }
  const me = useMe()?.id
  const family = useQuery({ ...query(listFamily, {}), ...shared })
  const places = useQuery({ ...query(listPlaces, {}), ...shared })
  const tags = useQuery({ ...query(listTags, {}), ...shared })
  const suggestions = useQuery({ ...suggestionsQuery, enabled })
  const vocabulary = useMemo(
    () => ({
      me,
      people: family.data?.members,
      places: places.data?.flatMap(country => [country, ...country.towns]),
      tags: tags.data,
      cameras: suggestions.data?.camera.map(({ label }) => label),
    }),
    [me, family.data, places.data, tags.data, suggestions.data],
  )
  return { vocabulary, pending: [family, places, tags, suggestions].some(({ isLoading }) => isLoading) }
}
