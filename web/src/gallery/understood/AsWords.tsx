import { useQuery } from '@tanstack/react-query'
import { listMedia } from '#contract/media-list.ts'
import { plainWords, quoted } from '#contract/read-search.ts'
import { query } from '../../kit/queries.ts'
import { type ChangeAddress, type GalleryAddress, listOf } from '../gallery-address.ts'
import { texts } from '../texts.ts'
import { useUnderstoodSearch } from './understood-search.ts'

/** Where words were understood as filters, there may be files with these words that the filters hide. Offers to show them. */
export function AsWords({ address, change }: { address: GalleryAddress; change: ChangeAddress }) {
  const { parts } = useUnderstoodSearch(address)
  const search = plainWords(address.filter.search ?? '')
  const hides = parts.some(({ filter }) => Object.keys(filter).length > 0)
  const { data } = useQuery({
    ...query(listMedia, { query: { ...listOf({ ...address, filter: { ...address.filter, search } }), limit: 1 } }),
    staleTime: 60_000,
    enabled: hides,
  })
  if (!hides || !data || data.count === 0) return null
  return (
    <button type="button" onClick={() => change({ filter: { search: quoted(search) } })} className="chip chip-clear">
      {texts.understood.showWords({ count: data.count, words: search })}
    </button>
  )
}
