import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { CallInput } from '#contract/endpoint.ts'
import {
  type CreatedLink,
  copyLink,
  createAlbumLink,
  createLink,
  createUploadLink,
  type Link,
  listLinks,
  showLink,
  updateLink,
} from '#contract/links.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { useCan } from '../kit/me.tsx'
import { endpointKey, query } from '../kit/queries.ts'
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

/** Whether the page of links is of use: somebody who may not make links any more can still end theirs. */
export function useHasLinksPage(): boolean {
  const mayMake = useCan('links.make')
  const { data = [] } = useQuery({ ...query(listLinks, { query: { limit: 1 } }), enabled: !mayMake })
  return mayMake || data.length > 0
}

type ShownByLink = { fileIds: readonly number[] } | { albumId: number } | { uploadAlbumId: number }

type Options = CallInput<typeof createAlbumLink>['body'] & CallInput<typeof createUploadLink>['body']

export function useMakeLink(whenDone: (link: CreatedLink) => void) {
  const options = { failure: texts.share.failure, changes: [{ kind: 'links' }], whenDone } as const
  const ofFiles = useAction(createLink, options)
  const ofAlbum = useAction(createAlbumLink, options)
  const forUploads = useAction(createUploadLink, options)
  return {
    busy: ofFiles.busy || ofAlbum.busy || forUploads.busy,
    run: (shown: ShownByLink, { max_files, max_bytes, ...body }: Options) => {
      const { originals: _, captions: __, ...shared } = body
      if ('uploadAlbumId' in shown)
        return forUploads.run({ params: { id: shown.uploadAlbumId }, body: { ...shared, max_files, max_bytes } })
      if ('albumId' in shown) return ofAlbum.run({ params: { id: shown.albumId }, body })
      return ofFiles.run({ body: { ...body, fileIds: [...shown.fileIds] } })
    },
  }
}

/** The address of an existing link. The server refuses it where it is not stored, in words for the person. */
export function useShowLink() {
  return useAction(showLink, { failure: texts.show.failure, changes: [] })
}

export function useCopyLink(whenDone: (link: CreatedLink) => void) {
  return useAction(copyLink, { failure: texts.share.failure, changes: [{ kind: 'links' }], whenDone })
}

/** Undone as long as it changes neither the password, which nobody can read, nor the end. */
export function useEditLink({ title, originals, captions }: Link) {
  return useAction(updateLink, {
    success: texts.edit.success,
    failure: texts.edit.failure,
    changes: [{ kind: 'links' }],
    undo: (now, { params, body }) => {
      if (body.password !== undefined || body.days !== undefined) return []
      const expected = { title: now.title, originals: now.originals, captions: now.captions }
      return [undoStep(() => call(updateLink, { params, body: { title, originals, captions, expected } }))]
    },
  })
}

export function useEndLink() {
  const mayReopen = useCan('links.make')
  return useAction(updateLink, {
    success: texts.ended,
    failure: texts.endFailure,
    changes: [{ kind: 'links' }],
    undo: ({ id }) => (mayReopen ? [undoStep(() => call(updateLink, { params: { id }, body: { ended: false } }))] : []),
  })
}
