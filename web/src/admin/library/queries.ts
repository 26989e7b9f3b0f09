import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  libraryHealth,
  libraryOverview,
  listActivity,
  listActivityFiles,
  listFailedFiles,
  retryFailedFile,
  retryFailedFiles,
} from '#contract/admin.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { mailStatus } from '#contract/mail.ts'
import { restoreNote } from '#contract/notes.ts'
import { listPeople } from '#contract/people.ts'
import { scanWatchedFolders, sourceFolders } from '#contract/source-folders.ts'
import { useAction } from '../../kit/action.ts'
import { call } from '../../kit/api.ts'
import type { Change } from '../../kit/changes.ts'
import { endpointKey, query } from '../../kit/queries.ts'
import { texts } from './texts.ts'

const PAGE = 100

/** Cursor pagination. */
interface Paged<Line> {
  lines: Line[] | undefined
  error: Error | null
  retry: () => void
  /** Undefined when all pages are loaded. */
  more: { load: () => void; busy: boolean } | undefined
}

/** `last`: the id of the last line of the page before. */
type Page<Line> = (last: number | undefined, signal: AbortSignal) => Promise<Line[]>

function usePaged<Line extends { id: number }>(key: readonly unknown[], page: Page<Line>): Paged<Line> {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetching } = useInfiniteQuery<
    Line[],
    Error,
    InfiniteData<Line[]>,
    readonly unknown[],
    number | undefined
  >({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => page(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: last => (last.length < PAGE ? undefined : last.at(-1)?.id),
    meta: { failure: texts.loadFailed },
  })
  return {
    lines: data?.pages.flat(),
    error: isFetching ? null : error,
    retry: () => refetch(),
    more: hasNextPage ? { load: () => fetchNextPage(), busy: isFetchingNextPage } : undefined,
  }
}

export function useFailedFiles() {
  return usePaged(endpointKey(listFailedFiles), (before, signal) =>
    call(listFailedFiles, { query: { limit: PAGE, before } }, signal),
  )
}

export function useActivity(personId: number | undefined) {
  return usePaged([...endpointKey(listActivity), personId], (before, signal) =>
    call(listActivity, { query: { limit: PAGE, before, person_id: personId } }, signal),
  )
}

/** The files of an act on several. */
export function useActivityFiles(id: number) {
  return usePaged([...endpointKey(listActivityFiles), id], (after, signal) =>
    call(listActivityFiles, { params: { id }, query: { limit: PAGE, after } }, signal),
  )
}

export function usePeople() {
  return useQuery(query(listPeople, {}))
}

export function useLibraryHealth() {
  return useQuery(query(libraryHealth, {}))
}

export function useMailStatus() {
  return useQuery(query(mailStatus, {}))
}

const FOLDERS_INTERVAL = 10_000

export function useSourceFolders() {
  return useQuery({ ...query(sourceFolders, {}, texts.loadFailed), refetchInterval: FOLDERS_INTERVAL })
}

/** `success`: that of marking what is gone as missing, or of looking. */
export function useScan(success: string) {
  return useAction(scanWatchedFolders, {
    success,
    failure: texts.sourceFolders.scan.failure,
    changes: [{ kind: 'media', ids: [] }],
  })
}

export function useLibraryOverview() {
  return useQuery(query(libraryOverview, {}, texts.loadFailed))
}

function changedFile({ params }: CallInput<typeof retryFailedFile>): Change[] {
  return [{ kind: 'media', ids: [Number(params.id)] }]
}

export function useRetry() {
  return useAction(retryFailedFile, { ...texts.retry, changes: changedFile })
}

/** Retries every failed file, also of pages that are not loaded. */
export function useRetryAll() {
  const { all, some } = texts.failedFiles.retryAll
  return useAction(retryFailedFiles, {
    success: ({ retried: count, more }) => (more ? some({ count }) : all({ count })),
    failure: texts.retry.failure,
    changes: [{ kind: 'media', ids: [] }],
  })
}

export function useRestoreNote(mediaId: number) {
  const { success, failure } = texts.activity.restore
  return useAction(restoreNote, { success, failure, changes: [{ kind: 'notes', media_id: mediaId }] })
}
