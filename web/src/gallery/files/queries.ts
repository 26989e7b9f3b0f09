import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Folder } from '#contract/folders.ts'
import { type GridFile, mediaGrid, readGrid } from '#contract/grid.ts'
import { isSamePlace } from '#contract/media-filter.ts'
import { type LibraryStats, mediaStats, type Timeline, timeline } from '#contract/media-list.ts'
import { ratioOf } from '#contract/proportions.ts'
import { call } from '../../kit/api.ts'
import { invalidate } from '../../kit/changes.ts'
import { endpointKey, foldersQuery, query } from '../../kit/queries.ts'
import { texts as kitTexts } from '../../kit/texts.ts'
import { isConnected, usePollInterval } from '../../live/status.ts'
import type { ListQuery, ShownFolder } from '../gallery-address.ts'
import type { Day } from '../layout/days.ts'
import type { Page } from './pages.ts'

/** The data needed to lay out a list: the number of files, by day if sorted by date. */
export interface ListTimeline {
  list: ListQuery
  total: number
  /** Empty in any other order. */
  days: readonly Day[]
  /** Width by height of a file; undefined if they were not requested. */
  proportionAt?: ((index: number) => number) | undefined
}

/** With `proportions`, rows of true proportions can be laid out. */
export function timelineQuery(list: ListQuery, proportions: boolean) {
  const input = { query: { ...list, proportions: proportions ? 'true' : 'false' } } as const
  return queryOptions({
    queryKey: [...endpointKey(timeline), input],
    queryFn: async ({ signal }) => createListTimeline(list, await call(timeline, input, signal)),
    staleTime: 60_000,
  })
}

/** By character code, because a layout reads up to a million of them. */
const ratios = Array.from({ length: 128 }, (_, code) => ratioOf(String.fromCharCode(code)))

export function createListTimeline(list: ListQuery, { total, days, proportions }: Timeline): ListTimeline {
  return {
    list,
    total,
    days: days.map(([key, count, day]) => ({ key, count, day })),
    proportionAt: proportions === null ? undefined : index => ratios[proportions.charCodeAt(index)] ?? 1,
  }
}

/**
 * While a search or another order loads, the previous list stays visible. Another folder or favourites start with a
 * spinner, so that no photo appears under the wrong name.
 */
export function useListTimeline(list: ListQuery, proportions: boolean) {
  const placeholderData = (previous: ListTimeline | undefined) =>
    previous && isSamePlace(previous.list, list) ? previous : undefined
  return useQuery({ ...timelineQuery(list, proportions), placeholderData })
}

/** Poll interval for changes by other people, without a live connection. */
const POLL_INTERVAL = 30_000

/** The folder panel reads its counts from the same response. */
export const statsQuery = queryOptions({ ...query(mediaStats, { query: {} }), staleTime: POLL_INTERVAL })

/** The statistics of the whole library. */
export function useLibraryStats() {
  return useQuery({ ...statsQuery, refetchInterval: usePollInterval(POLL_INTERVAL) })
}

/** Poll interval while the server prepares files and the live stream is down. */
export const PREPARING_POLL = 2_000

export function pageQuery(list: ListQuery, page: Page) {
  const input = { query: { ...list, ...page.query } }
  return queryOptions({
    queryKey: [...endpointKey(mediaGrid), input],
    queryFn: async ({ signal }) => readGrid(await call(mediaGrid, input, signal)),
    staleTime: 5 * 60_000,
    refetchInterval: ({ state }) => (state.data?.some(isPreparing) && !isConnected() ? PREPARING_POLL : false),
  })
}

function isPreparing({ status }: GridFile): boolean {
  return status === 'processing'
}

/** Null for a deleted folder; undefined for all folders or while loading. */
export function useFolderName(id: ShownFolder): string | null | undefined {
  const { data: folders } = useQuery({ ...foldersQuery, enabled: typeof id === 'number' })
  if (id === null) return undefined
  if (id === 'root') return kitTexts.noFolder
  if (folders === undefined) return undefined
  return folders.find(folder => folder.id === id)?.name ?? null
}

/** How many files are in the folders below a folder; undefined while loading, or where the list is of no single folder. */
export function useFilesBelow(id: ShownFolder): number | undefined {
  const { data: folders } = useQuery({ ...foldersQuery, enabled: typeof id === 'number' })
  return typeof id === 'number' ? folders && filesBelow(folders, id) : undefined
}

/** Without its own files. Parents are before their children. */
export function filesBelow(folders: readonly Folder[], id: number): number {
  const tree = new Set([id])
  let count = 0
  for (const folder of folders) {
    if (folder.parent_id === null || !tree.has(folder.parent_id)) continue
    tree.add(folder.id)
    count += folder.file_count
  }
  return count
}

/**
 * Without a live connection, a change of the polled statistics means that somebody added, moved or deleted files, so
 * the lists are invalidated.
 */
export function useInvalidateOnStatsChange(stats: LibraryStats | undefined): void {
  const client = useQueryClient()
  const known = useRef<string>(undefined)
  const now = stats && JSON.stringify(stats)
  useEffect(() => {
    if (now === undefined) return
    const before = known.current
    known.current = now
    if (before === undefined || before === now || isConnected()) return
    void invalidate(client, { kind: 'media', ids: [] })
  }, [client, now])
}
