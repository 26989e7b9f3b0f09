import { mediaSuggestions, Suggestions } from '#contract/media-list.ts'
import { query } from '../kit/queries.ts'

/** What the library can be filtered by: places, tags, cameras, years and people. */
export const suggestionsQuery = { ...query(mediaSuggestions, {}), staleTime: 60_000 }

export type SuggestedFilter = keyof Suggestions

export const suggestedFilters = Object.keys(Suggestions.shape) as SuggestedFilter[]
