import { useQuery } from '@tanstack/react-query'
import { addTag, listTags, type Tag, tagFiles, tagsOfFile, untagFiles } from '#contract/tags.ts'
import { useAction } from '../kit/action.ts'
import { partsOfChange } from '../kit/parts.ts'
import { query } from '../kit/queries.ts'
import { undoOfChange } from '../kit/undo.ts'
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
    undo: ({ change_id }) => undoOfChange({ changed: 1, change_id }),
  })
}

export function useTagFiles() {
  const { success, failure } = texts.add
  return useAction(tagFiles, {
    success,
    failure,
    changes: [{ kind: 'tags', media_id: null }],
    parts: partsOfChange((a, b) => ({ tagged: a.tagged + b.tagged, tagId: a.tagId ?? b.tagId })),
    undo: undoOfChange,
  })
}

export function useRemoveTag(fileId: number) {
  const { success, failure } = texts.remove
  const { run } = useAction(untagFiles, {
    success,
    failure,
    changes: [{ kind: 'tags', media_id: fileId }],
    undo: undoOfChange,
  })
  return (tag: Tag) => run({ body: { fileIds: [fileId], tagId: tag.id } })
}
