import { useQuery } from '@tanstack/react-query'
import { addTag, listTags, removeTag, type Tag, tagFiles, tagsOfFile, untagFiles } from '#contract/tags.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { query } from '../kit/queries.ts'
import { undoStep, undoStepsFor } from '../kit/undo.ts'
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
    undo: ({ id: tagId, added }) => (added ? [undoStep(() => call(removeTag, { params: { id: fileId, tagId } }))] : []),
  })
}

export function useTagFiles() {
  const { success, failure } = texts.add
  return useAction(tagFiles, {
    success,
    failure,
    changes: [{ kind: 'tags', media_id: null }],
    undo: ({ tagId, fileIds }) => (tagId === null ? [] : undoStepsFor(fileIds, fileIds => untag(fileIds, tagId))),
  })
}

async function untag(fileIds: number[], tagId: number): Promise<number> {
  return (await call(untagFiles, { body: { fileIds, tagId } })).untagged
}

export function useRemoveTag(fileId: number) {
  const { success, failure } = texts.remove
  const { run } = useAction(removeTag, { success, failure, changes: [{ kind: 'tags', media_id: fileId }] })
  return (tag: Tag) =>
    run(
      { params: { id: fileId, tagId: tag.id } },
      { undo: () => [undoStep(() => call(addTag, { params: { id: fileId }, body: { tagName: tag.name } }))] },
    )
}
