import { keepPreviousData, queryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type LibraryStats, listMedia, type MediaFile, timeline } from '#contract/media.ts'
import { call } from '../../kit/api.ts'
import { invalidate } from '../../kit/changes.ts'
import { endpointKey, foldersQuery, query } from '../../kit/queries.ts'
import { texts as kitTexts } from '../../kit/texts.ts'
import { isConnected, usePollInterval } from '../../live/status.ts'
import type { FileList, GalleryAddress } from '../gallery-address.ts'
import type { Day } from '../layout/days.ts'
import type { Page } from './pages.ts'

/** The data needed to lay out a list: the number of files, by day if sorted by date. */
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
 * While a search or another order loads, the previous list stays visible. Another folder starts with a spinner, so that
 * no photo appears under the wrong folder name.
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

/** Poll interval for changes by other people, without a live connection. */
const POLL_INTERVAL = 30_000

/** The statistics of the library, and the number of matching files. */
export function useLibraryStats(list: FileList) {
  return useQuery({
    ...query(listMedia, { query: { ...list, limit: 1 } }),
    select: ({ stats, count }) => ({ stats, count }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(POLL_INTERVAL),
  })
}

/** Poll interval while the server prepares files. */
const PREPARING_POLL = 2_000

export function pageQuery(list: FileList, page: Page) {
  return queryOptions({
    ...query(listMedia, { query: { ...list, ...page.ask } }),
    staleTime: 5 * 60_000,
    refetchInterval: ({ state }) => (state.data?.files.some(isPreparing) && !isConnected() ? PREPARING_POLL : false),
  })
}

function isPreparing({ status }: MediaFile): boolean {
  return status === 'processing'
}

/** Null for a deleted folder; undefined for all folders or while loading. */
export function useFolderName(id: GalleryAddress['folder']): string | null | undefined {
  const { data: folders } = useQuery({ ...foldersQuery, enabled: typeof id === 'number' })
  if (id === null) return undefined
  if (id === 'root') return kitTexts.noFolder
  if (folders === undefined) return undefined
  return folders.find(folder => folder.id === id)?.name ?? null
}

type Figures = Pick<UseQueryResult<{ stats: LibraryStats; count: number }>, 'data' | 'isPlaceholderData'>

/**
 * Without a live connection, a change of the polled statistics means that somebody added, moved or deleted files, so
 * the lists are invalidated.
 */
export function useInvalidateOnStatsChange({ data, isPlaceholderData }: Figures): void {
  const client = useQueryClient()
  const known = useRef<string>(undefined)
  const now = data === undefined || isPlaceholderData ? undefined : JSON.stringify(data.stats)
  useEffect(() => {
    if (now === undefined) return
    const before = known.current
    known.current = now
    if (before === undefined || before === now || isConnected()) return
    void invalidate(client, { kind: 'media', ids: [] })
  }, [client, now])
}
