import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  acceptGuestUploads,
  listGuestUploads,
  reconsiderGuestUploads,
  rejectGuestUploads,
  waitingGuestUploads,
} from '#contract/guest-uploads.ts'
import { guestUploads as limits } from '#contract/limits.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { useCan } from '../kit/me.tsx'
import { partsOf } from '../kit/parts.ts'
import { endpointKey, query } from '../kit/queries.ts'
import { undoStepsFor } from '../kit/undo.ts'
import { texts } from './texts.ts'

export type ReviewState = 'waiting' | 'rejected'

const PAGE = 200

export function useGuestUploads(album: number | undefined, state: ReviewState) {
  return useInfiniteQuery({
    queryKey: [...endpointKey(listGuestUploads), { album, state }],
    queryFn: ({ pageParam: after, signal }) =>
      call(listGuestUploads, { query: { album, state, limit: PAGE, after } }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: last => (last.length < PAGE ? undefined : last.at(-1)?.id),
    // Their pictures are being made.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.flat().some(({ status }) => status === 'processing') ? 5_000 : false,
    meta: { failure: texts.loadFailed },
  })
}

/** How many files wait for an album, or for each; none for people who may not review them. */
export function useWaiting(albumId: number | undefined) {
  const mayReview = useCan('albums.edit')
  const { data = [] } = useQuery({ ...query(waitingGuestUploads, {}), enabled: mayReview })
  return data.filter(({ album }) => albumId === undefined || album?.id === albumId)
}

const changes: readonly Change[] = [{ kind: 'guest-uploads' }, { kind: 'media', ids: [] }]
const reconsider = async (ids: number[]) => (await call(reconsiderGuestUploads, { body: { ids } })).ids.length

const uploads = { key: 'ids', size: limits.decided } as const

/** Of the accepted files the library may have known some. */
function acceptedText(count: number, known: number): string {
  if (count === 0) return texts.noneAccepted
  if (known === 0) return texts.accepted({ count })
  return known === count ? texts.acceptedAllKnown({ count }) : texts.acceptedSomeKnown({ count, known })
}

export function useDecide() {
  const accept = useAction(acceptGuestUploads, {
    success: ({ ids, duplicates }) => acceptedText(ids.length, duplicates),
    failure: texts.acceptFailure,
    changes,
    parts: partsOf(uploads, (a, b) => ({ ids: [...a.ids, ...b.ids], duplicates: a.duplicates + b.duplicates }), {
      ifAllChanged: ids => ({ ids, duplicates: 0 }),
    }),
    undo: ({ ids }) => undoStepsFor(ids, reconsider),
  })
  const reject = useAction(rejectGuestUploads, {
    success: ({ ids }) => texts.rejected({ count: ids.length }),
    failure: texts.rejectFailure,
    changes,
    parts: partsOf(uploads, (a, b) => ({ ids: [...a.ids, ...b.ids] }), { ifAllChanged: ids => ({ ids }) }),
    undo: ({ ids }) => undoStepsFor(ids, reconsider),
  })
  const putBack = useAction(reconsiderGuestUploads, {
    success: ({ ids }) => texts.restored({ count: ids.length }),
    failure: texts.restoreFailure,
    changes,
    parts: partsOf(uploads, (a, b) => ({ ids: [...a.ids, ...b.ids] }), { ifAllChanged: ids => ({ ids }) }),
    undo: ({ ids }) =>
      undoStepsFor(ids, async some => (await call(rejectGuestUploads, { body: { ids: some } })).ids.length),
  })
  return { accept, reject, putBack }
}
