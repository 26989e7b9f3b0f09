import { useQuery, useQueryClient } from '@tanstack/react-query'
import { addTag, listTags, type Tag, tagFiles, tagsOfFile, untagFiles } from '#contract/tags.ts'
import { useAction } from '../kit/action.ts'
import type { ShownCall } from '../kit/outbox/page-outbox.ts'
import { partsOfChange } from '../kit/parts.ts'
import { query } from '../kit/queries.ts'
import { undoOfChange } from '../kit/undo.ts'
import { plain } from './suggest.ts'
import { texts } from './texts.ts'

export function useTags(fileId: number) {
  return useQuery(query(tagsOfFile, { params: { id: fileId } }, texts.loadFailed))
}

const none: readonly string[] = []

/** The names of all tags, the most used first. */
export function useAllTagNames(): readonly string[] {
  return (
    useQuery({ ...query(listTags, {}), select: tags => tags.map(({ name }) => name), staleTime: 60_000 }).data ?? none
  )
}

export function useAddTag(fileId: number) {
  const { success, failure } = texts.add
  return useAction(addTag, {
    success,
    failure,
    changes: [{ kind: 'tags', media_id: fileId }],
    waits: () => ({}),
    undo: ({ change_id }) => undoOfChange({ changed: 1, change_id }),
  })
}

export function useTagFiles() {
  const { success, failure } = texts.add
  return useAction(tagFiles, {
    success,
    failure,
    changes: [{ kind: 'tags', media_id: null }],
    waits: () => ({}),
    parts: partsOfChange((a, b) => ({ tagged: a.tagged + b.tagged, tagId: a.tagId ?? b.tagId })),
    undo: undoOfChange,
  })
}

export function useRemoveTag(fileId: number) {
  const { success, failure } = texts.remove
  const client = useQueryClient()
  const { queryKey } = query(tagsOfFile, { params: { id: fileId } })
  const { run } = useAction(untagFiles, {
    success,
    failure,
    changes: [{ kind: 'tags', media_id: fileId }],
    waits: ({ body }) => ({ shown: client.getQueryData(queryKey)?.find(({ id }) => id === body.tagId)?.name }),
    undo: undoOfChange,
  })
  return (tag: Tag) => run({ body: { fileIds: [fileId], tagId: tag.id } })
}

export interface ShownTag extends Tag {
  /** The id of the call that waits to be sent. */
  waiting?: string
}

/** The tags of a file as they will be when everything is sent; undefined while loading. */
export function withWaiting(
  fileId: number,
  tags: readonly Tag[] | undefined,
  calls: readonly ShownCall[],
): readonly ShownTag[] | undefined {
  const waits = calls.filter(call => isTag(call) && call.state === 'waiting' && call.files.includes(fileId))
  if (tags === undefined && waits.length === 0) return undefined
  let shown: readonly ShownTag[] = tags ?? []
  for (const call of waits) {
    if (call.kind === 'untag') shown = shown.filter(({ id }) => id !== call.tagId)
    else if (call.kind === 'tag' && !shown.some(({ name }) => plain(name) === plain(call.tag))) {
      shown = [...shown, { id: -(call.seq ?? call.at), name: call.tag, waiting: call.id }]
    }
  }
  return shown
}

function isTag(call: ShownCall): call is Extract<ShownCall, { kind: 'tag' | 'untag' }> {
  return call.kind === 'tag' || call.kind === 'untag'
}
