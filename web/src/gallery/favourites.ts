import { useQuery } from '@tanstack/react-query'
import { listPeople } from '#contract/people.ts'
import { useMe } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { texts } from './texts.ts'

/** The name of a person's favourites, as in "Favourites" or "Loved by Rose"; undefined for nobody's. */
export function useFavouritesName(personId: number | null): string | undefined {
  const me = useMe()
  const isOther = personId !== null && personId !== me?.id
  const { data: people } = useQuery({ ...query(listPeople, {}), enabled: isOther, staleTime: 60_000 })
  if (personId === null) return undefined
  if (!isOther) return texts.favourites.heading
  return texts.favourites.of(people?.find(({ id }) => id === personId)?.name ?? '…')
}
