import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { addTag, listTags, removeTag, type Tag, tagFiles, tagsOfFile } from '#contract/tags.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { invalidate } from '../kit/changes.ts'
import { query } from '../kit/queries.ts'
import { texts as kitTexts } from '../kit/texts.ts'
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
  return useAction(addTag, { success, failure, changes: [{ kind: 'tags', media_id: fileId }] })
}

export function useTagFiles() {
  const { success, failure } = texts.add
  return useAction(tagFiles, { success, failure, changes: [{ kind: 'tags', media_id: null }] })
}

/** Removes a tag; the toast offers Undo. */
export function useRemoveTag(fileId: number) {
  const client = useQueryClient()
  const { success, failure } = texts.remove
  const invalidateTags = () => invalidate(client, { kind: 'tags', media_id: fileId })
  const showFailure = (text: string, error: unknown) =>
    toast.error(text, error instanceof Error ? { description: error.message } : {})

  async function undo(tag: Tag): Promise<void> {
    try {
      await call(addTag, { params: { id: fileId }, body: { tagName: tag.name } })
      toast.success(kitTexts.undone)
    } catch (error) {
      showFailure(texts.add.failure, error)
    }
    await invalidateTags()
  }

  return async (tag: Tag): Promise<void> => {
    try {
      await call(removeTag, { params: { id: fileId, tagId: tag.id } })
      toast.success(success, { action: { label: kitTexts.undo, onClick: () => void undo(tag) } })
    } catch (error) {
      showFailure(failure, error)
    }
    await invalidateTags()
  }
}
