import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import type { Answer } from '#contract/endpoint.ts'
import { createLink, type Link, listLinks, updateLink } from '#contract/links.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { endpointKey } from '../kit/queries.ts'
import { undoStep } from '../kit/undo.ts'
import { texts } from './texts.ts'

const PAGE = 100

export function useLinks() {
  return useInfiniteQuery<Link[], Error, InfiniteData<Link[]>, readonly unknown[], number | undefined>({
    queryKey: endpointKey(listLinks),
    queryFn: ({ pageParam: before, signal }) => call(listLinks, { query: { limit: PAGE, before } }, signal),
    initialPageParam: undefined,
    getNextPageParam: last => (last.length < PAGE ? undefined : last.at(-1)?.id),
    meta: { failure: texts.loadFailed },
  })
}

export function useMakeLink(whenDone: (link: Answer<typeof createLink>) => void) {
  return useAction(createLink, { failure: texts.share.failure, changes: [{ kind: 'links' }], whenDone })
}

export function useEndLink() {
  return useAction(updateLink, {
    success: texts.ended,
    failure: texts.endFailure,
    changes: [{ kind: 'links' }],
    undo: ({ id }) => [undoStep(() => call(updateLink, { params: { id }, body: { ended: false } }))],
  })
}
