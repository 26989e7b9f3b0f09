import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { bulkDelete, deleteMedia, getMedia, type MediaFile } from '#contract/media.ts'
import { useAction } from '../../kit/action.ts'
import { query } from '../../kit/queries.ts'
import { changedByFiles } from '../files/queries.ts'
import { texts } from '../texts.ts'

/** What can be done to files from the gallery, with the questions asked first and the answers told after. */
export function useFileActions() {
  const client = useQueryClient()
  const deleteOne = useAction(deleteMedia, {
    success: texts.delete.success,
    failure: texts.delete.failure,
    refresh: changedByFiles,
  })
  const deleteMany = useAction(bulkDelete, {
    success: ({ deleted }) => texts.bulkDelete.success(deleted),
    failure: texts.bulkDelete.failure,
    refresh: changedByFiles,
  })

  return {
    /** Undefined where it is gone. */
    find: (id: number): Promise<MediaFile | undefined> =>
      client.fetchQuery(query(getMedia, { params: { id } })).catch(sayNotFound),
    /** Resolves to whether it was deleted. */
    async delete(file: MediaFile): Promise<boolean> {
      if (!window.confirm(texts.delete.confirm(file.original_name))) return false
      return deleteOne.run({ params: { id: file.id } })
    },
    async deleteMany(ids: ReadonlySet<number>): Promise<boolean> {
      if (!window.confirm(texts.bulkDelete.confirm(ids.size))) return false
      return deleteMany.run({ body: { fileIds: [...ids] } })
    },
    deletingMany: deleteMany.busy,
    async download(file: MediaFile): Promise<void> {
      try {
        // The address in the list may have run out.
        const { download_url } = await client.fetchQuery(query(getMedia, { params: { id: file.id } }))
        startDownload(download_url, file.original_name)
        toast.success(texts.download.success)
      } catch (error) {
        toast.error(texts.download.failure, error instanceof Error ? { description: error.message } : {})
      }
    },
  }
}

function sayNotFound(error: unknown): undefined {
  toast.error(texts.someMissing, error instanceof Error ? { description: error.message } : {})
}

function startDownload(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
