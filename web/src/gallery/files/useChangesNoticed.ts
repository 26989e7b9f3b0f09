import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { LibraryStats } from '#contract/media.ts'
import { invalidate } from '../../kit/changes.ts'
import { isConnected } from '../../live/status.ts'

type Figures = Pick<UseQueryResult<{ stats: LibraryStats; count: number }>, 'data' | 'isPlaceholderData'>

/**
 * For as long as no live stream tells: the figures are read every now and then, and when they have changed, somebody
 * else added, moved or removed files.
 */
export function useChangesNoticed({ data, isPlaceholderData }: Figures): void {
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
