import { useMemo } from 'react'
import { givenFilters } from '#contract/media-filter.ts'
import { readSearch, type SearchPart, type SearchVocabulary } from '#contract/read-search.ts'
import { dateReader } from '../../media/date-reader.ts'
import type { GalleryAddress } from '../gallery-address.ts'
import { useSearchVocabulary } from './vocabulary.ts'

export interface UnderstoodSearch {
  /** With the filters that the words of the search name. What lists, counts and albums use; the URL keeps the words. */
  shown: GalleryAddress
  parts: readonly SearchPart[]
  /** Whether some names are still loading, so that more may be understood. */
  pending: boolean
}

/** What the search of the gallery means: "Kofi in Lisbon 2019" are three filters. */
export function useUnderstoodSearch(address: GalleryAddress): UnderstoodSearch {
  const { vocabulary, pending } = useSearchVocabulary(Boolean(address.filter.search))
  return useMemo(() => ({ ...understand(address, vocabulary), pending }), [address, vocabulary, pending])
}

export function understand(address: GalleryAddress, vocabulary: SearchVocabulary): Omit<UnderstoodSearch, 'pending'> {
  const { search, ...chosen } = address.filter
  if (!search) return { shown: address, parts: [] }
  const { parts, filter } = readSearch(search, { vocabulary, given: givenFilters(chosen), date: dateReader })
  return { shown: { ...address, filter: { ...chosen, ...filter } }, parts }
}
