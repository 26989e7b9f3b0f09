import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { type DeletedFile, deletedIds, listDeleted } from '#contract/trash.ts'
import { showFailure } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { invalidate } from '../kit/changes.ts'
import { endpointKey } from '../kit/queries.ts'
import { runUndoSteps } from '../kit/undo.ts'
import { restoreSteps } from '../media/undo.ts'
import { texts } from './texts.ts'

const PAGE = 200

/** Own: what others deleted of the files that this person uploaded. */
export type Whose = 'all' | 'own'

export function useDeletedFiles(whose: Whose) {
  return useInfiniteQuery<
    DeletedFile[],
    Error,
    InfiniteData<DeletedFile[]>,
    readonly unknown[],
    DeletedFile | undefined
  >({
    queryKey: [...endpointKey(listDeleted), whose],
    queryFn: ({ pageParam: last, signal }) =>
      call(listDeleted, { query: { whose, limit: PAGE, before: last?.id, deleted_before: last?.deleted_at } }, signal),
    initialPageParam: undefined,
    getNextPageParam: last => (last.length < PAGE ? undefined : last.at(-1)),
    meta: { failure: texts.loadFailed },
  })
}

/** The ids of all deleted files, also of those that are not loaded. */
export async function fetchDeletedIds(whose: Whose): Promise<readonly number[] | undefined> {
  try {
    return (await call(deletedIds, { query: { whose } })).ids
  } catch (error) {
    showFailure(texts.selectFailed, error)
    return undefined
  }
}

/** `progress` is null while nothing is being restored. */
export function useRestore() {
  const client = useQueryClient()
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null)

  /** Resolves to those that are not deleted any more. */
  async function restore(ids: readonly number[]): Promise<readonly number[]> {
    setProgress({ done: 0, total: ids.length })
    try {
      const result = await runUndoSteps(restoreSteps(ids), (done, total) => setProgress({ done, total }))
      const { changed, missed, unfinished, error } = result
      if (unfinished > 0) showFailure(texts.restoredInPart({ count: changed, unfinished }), error)
      else if (missed === 0) toast.success(texts.restored({ count: changed }))
      else toast.warning(texts.restoredExcept({ count: changed, missed }))
      return ids.slice(0, ids.length - unfinished)
    } catch (error) {
      showFailure(texts.restoreFailed, error)
      return []
    } finally {
      await invalidate(client, { kind: 'media', ids: [...ids] })
      setProgress(null)
    }
  }
  return { restore, progress }
}
