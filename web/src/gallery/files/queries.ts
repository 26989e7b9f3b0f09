import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { listMedia, type MediaFile, timeline } from '#contract/media.ts'
import { call } from '../../kit/api.ts'
import { endpointKey, foldersQuery, query } from '../../kit/queries.ts'
import { texts as kitTexts } from '../../kit/texts.ts'
import { isConnected, usePollInterval } from '../../live/status.ts'
import type { FileList, GalleryAddress } from '../address.ts'
import type { Day } from '../layout/days.ts'
import type { Page } from './pages.ts'

/** All that is needed to lay a list out: how many files there are, in date order by day. */
export interface ListIndex {
  list: FileList
  total: number
  /** Empty in any other order. */
  days: readonly Day[]
}

export function indexQuery(list: FileList) {
  return queryOptions({
    queryKey: [...endpointKey(timeline), list],
    queryFn: ({ signal }) => (list.sort === 'date' ? indexByDay(list, signal) : indexByNumber(list, signal)),
    staleTime: 60_000,
  })
}

/**
 * While a search or another order loads, the previous list stays on the screen; its index says which list it is. Another
 * folder starts with a spinner, so that no photo appears under the name of a folder that does not hold it.
 */
export function useListIndex(list: FileList) {
  const placeholderData = (previous: ListIndex | undefined) =>
    previous?.list.folder_id === list.folder_id ? previous : undefined
  return useQuery({ ...indexQuery(list), placeholderData })
}

async function indexByDay(list: FileList, signal: AbortSignal): Promise<ListIndex> {
  const { sort: _, order, ...filter } = list
  const answer = await call(timeline, { query: filter }, signal)
  const days = answer.days.map(([day, count]) => ({ day, count }))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return { list, total, days: order === 'asc' ? days.reverse() : days }
}

async function indexByNumber(list: FileList, signal: AbortSignal): Promise<ListIndex> {
  const { count } = await call(listMedia, { query: { ...list, limit: 1 } }, signal)
  return { list, total: count, days: [] }
}

/** How often to look whether somebody else added or removed something, while nobody tells. */
const GLANCE = 30_000

/** The figures of the whole library, and how many files match. */
export function useFigures(list: FileList) {
  return useQuery({
    ...query(listMedia, { query: { ...list, limit: 1 } }),
    select: ({ stats, count }) => ({ stats, count }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(GLANCE),
  })
}

/** How soon to look again at files that the server is still preparing. */
const PREPARING = 2_000

export function pageQuery(list: FileList, page: Page) {
  return queryOptions({
    ...query(listMedia, { query: { ...list, ...page.ask } }),
    staleTime: 5 * 60_000,
    refetchInterval: ({ state }) => (state.data?.files.some(isPreparing) && !isConnected() ? PREPARING : false),
  })
}

function isPreparing({ status }: MediaFile): boolean {
  return status === 'processing'
}

/** Null for a folder that does not exist any more; undefined for every folder, and while the name is unknown. */
export function useFolderName(id: GalleryAddress['folder']): string | null | undefined {
  const { data: folders } = useQuery({ ...foldersQuery, enabled: typeof id === 'number' })
  if (id === null) return undefined
  if (id === 'root') return kitTexts.noFolder
  if (folders === undefined) return undefined
  return folders.find(folder => folder.id === id)?.name ?? null
}
