import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { polls } from '#contract/limits.ts'
import {
  deleteNotification,
  listNotifications,
  type Notification,
  readAllNotifications,
  readNotification,
  unreadCount,
} from '#contract/notifications.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { endpointKey, query } from '../kit/queries.ts'
import { usePollInterval } from '../live/status.ts'
import { texts } from './texts.ts'

const PAGE = 30

const changes: Change[] = [{ kind: 'notifications' }]

/** Undefined until it is known. */
export function useUnreadCount(): number | undefined {
  const refetchInterval = usePollInterval(polls.unreadCount)
  return useQuery({ ...query(unreadCount, {}), select: ({ count }) => count, refetchInterval }).data
}

/** Newest first, with cursor pagination. */
export function useNotifications() {
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [...endpointKey(listNotifications), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(listNotifications, { query: { limit: PAGE, ...(pageParam === 0 ? {} : { before: pageParam }) } }, signal),
    initialPageParam: 0,
    getNextPageParam: (last: Notification[]) => (last.length < PAGE ? undefined : last.at(-1)?.id),
  })
  return {
    notifications: data?.pages.flat(),
    error: isFetching ? null : error,
    retry: () => void refetch(),
    /** Undefined when all pages are loaded. */
    loadMore: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
    loadingMore: isFetchingNextPage,
  }
}

export function useMarkRead() {
  return useAction(readNotification, { failure: texts.markReadFailed, changes })
}

export function useMarkAllRead() {
  return useAction(readAllNotifications, { ...texts.allRead, changes })
}

export function useDelete() {
  return useAction(deleteNotification, { failure: texts.deleteFailed, changes })
}
