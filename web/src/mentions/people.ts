import { useQuery } from '@tanstack/react-query'
import { listPeople, type Person } from '#contract/people.ts'
import { query } from '../kit/queries.ts'

const nobody: readonly Person[] = []

/** Everyone who can be mentioned. */
export function usePeople(): readonly Person[] {
  return useQuery({ ...query(listPeople, {}), staleTime: 5 * 60_000 }).data ?? nobody
}
