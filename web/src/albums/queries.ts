import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Album,
  addToAlbum,
  albumsOfFile,
  createAlbum,
  deleteAlbum,
  getAlbum,
  listAlbums,
  removeFromAlbum,
  reorderAlbum,
  restoreAlbum,
  restoreToAlbum,
  updateAlbum,
} from '#contract/albums.ts'
import { can } from '#contract/rights.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { useMe } from '../kit/me.tsx'
import { partsOfFiles } from '../kit/parts.ts'
import { endpointKey, query } from '../kit/queries.ts'
import { undoStep, undoStepsFor } from '../kit/undo.ts'
import { texts } from './texts.ts'

export const ALBUMS_PAGE = 60

/** With `search`, those whose titles contain it. */
export function useAlbums(search = '') {
  const text = search.trim() === '' ? {} : { search: search.trim() }
  return useInfiniteQuery<Album[], Error, InfiniteData<Album[]>, readonly unknown[], number | undefined>({
    queryKey: [...endpointKey(listAlbums), text],
    queryFn: ({ pageParam: before, signal }) =>
      call(listAlbums, { query: { ...text, limit: ALBUMS_PAGE, before } }, signal),
    initialPageParam: undefined,
    getNextPageParam: last => (last.length < ALBUMS_PAGE ? undefined : last.at(-1)?.id),
    meta: { failure: texts.loadFailed },
  })
}

export function useAlbum(id: number) {
  return useQuery(query(getAlbum, { params: { id } }, texts.loadFailed))
}

export function useAlbumsOfFile(fileId: number) {
  return useQuery(query(albumsOfFile, { params: { id: fileId } }, texts.loadFailed))
}

/** Whether the signed-in person may change title, text, cover and order of an album, and delete it. */
export function useOwnsAlbum(album: Album | undefined): boolean {
  const me = useMe()
  if (me === null || album === undefined || !can(me.role, 'albums.edit')) return false
  return album.created_by.id === me.id || can(me.role, 'albums.edit-others')
}

const changed = (id: unknown): Change[] => [{ kind: 'albums', id: Number(id) }]

export function useCreateAlbum() {
  const { success, failure } = texts.create
  return useAction(createAlbum, {
    success,
    failure,
    changes: changed(0),
    parts: {
      ...partsOfFiles((_, album) => album),
      ids: ({ body }) => body.fileIds ?? [],
      continueWith: async (album, fileIds) => {
        const { added } = await call(addToAlbum, { params: { id: album.id }, body: { fileIds } })
        return { ...album, file_count: album.file_count + added }
      },
      // The undo deletes the album, whatever is in it.
      ifAllChanged: (_, album) => album,
    },
    undo: ({ id }) => [undoStep(() => call(deleteAlbum, { params: { id } }))],
  })
}

export function useUpdateAlbum(album: Album) {
  return useAction(updateAlbum, {
    success: texts.edit.success,
    failure: texts.edit.failure,
    changes: changed(album.id),
    undo: (now, { params, body }) => {
      const before = { title: album.title, description: album.description, order: album.order }
      const cover_id = album.cover?.chosen ? album.cover.media_id : null
      const back = {
        ...(body.title === undefined ? {} : { title: before.title }),
        ...(body.description === undefined ? {} : { description: before.description }),
        ...(body.order === undefined ? {} : { order: before.order }),
        ...(body.cover_id === undefined ? {} : { cover_id }),
        ...(body.search === undefined ? {} : searchOf(album)),
      }
      const expected = {
        title: now.title,
        description: now.description,
        order: now.order,
        ...searchOf(now),
        ...(body.cover_id === undefined ? {} : { cover_id: body.cover_id }),
      }
      return [undoStep(() => call(updateAlbum, { params, body: { ...back, expected } }))]
    },
  })
}

function searchOf({ search }: Album) {
  return search === null ? {} : { search }
}

export function useDeleteAlbum() {
  const { success, failure } = texts.delete
  return useAction(deleteAlbum, {
    success,
    failure,
    changes: ({ params }) => changed(params.id),
    undo: (_, { params }) => [undoStep(() => call(restoreAlbum, { params }))],
  })
}

export function useAddToAlbum() {
  const client = useQueryClient()
  return useAction(addToAlbum, {
    success: ({ added }) => texts.add.success({ count: added }),
    failure: texts.add.failure,
    changes: ({ params }) => changed(params.id),
    parts: partsOfFiles((a, b) => ({ added: a.added + b.added, fileIds: [...a.fileIds, ...b.fileIds] })),
    waits: ({ params }) => ({ shown: findTitle(client, Number(params.id)) }),
    undo: ({ fileIds: added }, { params }) =>
      undoStepsFor(added, async fileIds => (await call(removeFromAlbum, { params, body: { fileIds } })).removed),
  })
}

function findTitle(client: QueryClient, id: number): string | undefined {
  const album = client.getQueryData(query(getAlbum, { params: { id } }).queryKey)
  if (album !== undefined) return album.title
  const lists = client.getQueriesData<InfiniteData<Album[]>>({ queryKey: endpointKey(listAlbums) })
  for (const [, list] of lists) {
    const listed = list?.pages.flat().find(one => one.id === id)
    if (listed !== undefined) return listed.title
  }
  return undefined
}

export function useRemoveFromAlbum() {
  return useAction(removeFromAlbum, {
    success: ({ removed: count, kept }) =>
      kept === 0 ? texts.remove.success({ count }) : texts.remove.successInPart({ count, kept }),
    failure: texts.remove.failure,
    changes: ({ params }) => changed(params.id),
    parts: partsOfFiles(
      (a, b) => ({
        removed: a.removed + b.removed,
        kept: a.kept + b.kept,
        fileIds: [...a.fileIds, ...b.fileIds],
      }),
      { ifAllChanged: fileIds => ({ removed: fileIds.length, kept: 0, fileIds }) },
    ),
    undo: ({ fileIds: removed }, { params }) =>
      undoStepsFor(removed, async fileIds => (await call(restoreToAlbum, { params, body: { fileIds } })).restored),
  })
}

export function useReorderAlbum() {
  const { success, failure } = texts.reorder
  return useAction(reorderAlbum, {
    success,
    failure,
    changes: ({ params }) => changed(params.id),
    undo: ({ from }, { params }) => from.map(body => undoStep(() => call(reorderAlbum, { params, body }))),
  })
}
