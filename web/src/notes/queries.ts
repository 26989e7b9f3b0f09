import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { addAlbumComment, deleteAlbumComment, listAlbumComments } from '#contract/albums.ts'
import { comments as limits } from '#contract/limits.ts'
import { addNote, deleteNote, type Note, notesOfFile, restoreNote, updateNote } from '#contract/notes.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { endpointKey } from '../kit/queries.ts'
import { undoStep } from '../kit/undo.ts'
import { deleteDraft } from './drafts.ts'
import { texts } from './texts.ts'

const lists = {
  notes: (id: number, before: number | undefined, signal: AbortSignal) =>
    call(notesOfFile, { params: { id }, query: { before } }, signal),
  comments: (id: number, before: number | undefined, signal: AbortSignal) =>
    call(listAlbumComments, { params: { id }, query: { before } }, signal),
}

/** The latest notes on a file or comments on an album; `fetchNextPage` loads earlier ones. */
export function useComments(kind: keyof typeof lists, id: number) {
  const endpoint = kind === 'notes' ? notesOfFile : listAlbumComments
  const { data, ...rest } = useInfiniteQuery<
    Note[],
    Error,
    InfiniteData<Note[]>,
    readonly unknown[],
    number | undefined
  >({
    queryKey: [...endpointKey(endpoint), { params: { id } }],
    queryFn: ({ pageParam: before, signal }) => lists[kind](id, before, signal),
    initialPageParam: undefined,
    getNextPageParam: page => (page.length < limits.page ? undefined : page[0]?.id),
    meta: { failure: texts[kind].loadFailed },
  })
  return { comments: data?.pages.toReversed().flat(), ...rest }
}

/** Loads earlier pages until the comment that a link leads to is listed. Returns whether it may still come. */
export function useLoadUntil(wanted: number, { comments, ...pages }: ReturnType<typeof useComments>): boolean {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages
  // Ids grow, so a later one that is not listed has been deleted.
  const isEarlier = wanted > 0 && wanted < (comments?.[0]?.id ?? 0) && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isEarlier && !isFetching) void fetchNextPage()
  }, [isEarlier, isFetching, fetchNextPage])
  return isEarlier
}

/** The first note serves as the photo's alternative text. */
export function useFirstNote(fileId: number): string | undefined {
  return useComments('notes', fileId).comments?.[0]?.content
}

function notesOf(fileId: number): Change[] {
  return [{ kind: 'notes', media_id: fileId }]
}

/** With the key of its draft, which is deleted as soon as the outbox has the text. */
export function useAddNote(fileId: number, draft: string) {
  return useAction(addNote, {
    ...texts.notes.add,
    changes: notesOf(fileId),
    waits: () => ({ stored: () => deleteDraft(draft) }),
    undo: ({ id }) => [undoStep(() => call(deleteNote, { params: { id } }))],
  })
}

/** With the key of its draft, which is deleted as soon as the outbox has the text. */
export function useAddComment(albumId: number, draft: string) {
  return useAction(addAlbumComment, {
    ...texts.comments.add,
    changes: [{ kind: 'album-comments', album_id: albumId }],
    waits: () => ({ stored: () => deleteDraft(draft) }),
    undo: ({ id }) => [undoStep(() => call(deleteAlbumComment, { params: { id } }))],
  })
}

export function useUpdateNote(fileId: number, before: Note) {
  const { success, failure } = texts.notes.edit
  return useAction(updateNote, {
    success,
    failure,
    changes: notesOf(fileId),
    undo: ({ content: expected }, { params }) => [
      undoStep(() => call(updateNote, { params, body: { content: before.content, expected } })),
    ],
  })
}

export function useDeleteNote(fileId: number) {
  const { success, failure } = texts.notes.delete
  return useAction(deleteNote, {
    success,
    failure,
    changes: notesOf(fileId),
    undo: (_, { params }) => [undoStep(() => call(restoreNote, { params }))],
  })
}
