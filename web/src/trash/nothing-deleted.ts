import { useQuery } from '@tanstack/react-query'
import { listDeleted } from '#contract/trash.ts'
import { useCan } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'

/** Whether there is nothing to restore; undefined until it is known. */
export function useNothingDeleted(): boolean | undefined {
  const enabled = useCan('media.edit')
  const { data } = useQuery({ ...query(listDeleted, { query: { limit: 1 } }), enabled, staleTime: 60_000 })
  return enabled ? data && data.length === 0 : true
}
