import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { bulkDelete, deleteMedia, getMedia, type MediaFile, renameMedia, requestZip } from '#contract/media.ts'
import { showFailure, useAction } from '../../kit/action.ts'
import { call } from '../../kit/api.ts'
import { partsOfFiles } from '../../kit/parts.ts'
import { query } from '../../kit/queries.ts'
import { useAppSettings } from '../../kit/settings.ts'
import { restoreSteps, undoRename } from '../../media/undo.ts'
import type { NamedFile } from '../../media/viewed-file.ts'
import { confirmInDialog } from '../../ui/confirm.tsx'
import { texts } from '../texts.ts'
import { deleteManyQuestion, deleteQuestion } from './delete-question.ts'
import { useRehash } from './RehashProgress.tsx'

/** Actions on files, with their confirmations and toasts. */
export function useFileActions() {
  const client = useQueryClient()
  const { trashDays } = useAppSettings()
  // As the question says: where nothing is kept, it cannot be undone.
  const undoOfDelete = (ids: readonly number[]) => (trashDays < 1 ? [] : restoreSteps(ids))
  const rename = useAction(renameMedia, {
    success: texts.rename.success,
    failure: texts.rename.failure,
    changes: ({ params }) => [{ kind: 'media', ids: [Number(params.id)] }],
  })
  const deleteOne = useAction(deleteMedia, {
    success: texts.delete.success,
    failure: texts.delete.failure,
    changes: ({ params }) => [{ kind: 'media', ids: [Number(params.id)] }],
    undo: (_, { params }) => undoOfDelete([Number(params.id)]),
  })
  const deleteMany = useAction(bulkDelete, {
    success: ({ deleted }) => texts.bulkDelete.success({ count: deleted }),
    failure: texts.bulkDelete.failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds }],
    parts: partsOfFiles(
      (a, b) => ({
        deleted: a.deleted + b.deleted,
        fileIds: [...a.fileIds, ...b.fileIds],
        change_id: a.change_id ?? b.change_id,
      }),
      {
        continuing: ({ change_id }) => ({ continues: change_id }),
        ifAllChanged: (fileIds, { change_id }) => ({ deleted: fileIds.length, fileIds, change_id }),
      },
    ),
    undo: ({ fileIds }) => undoOfDelete(fileIds),
  })
  const rehashing = useRehash()

  return {
    /** Undefined if it was deleted. */
    find: (id: number): Promise<MediaFile | undefined> =>
      client.fetchQuery(query(getMedia, { params: { id } })).catch(showNotFoundToast),
    rename(file: NamedFile, newName: string): Promise<boolean> {
      return rename.run({ params: { id: file.id }, body: { newName } }, { undo: undoRename(file) })
    },
    /** Resolves to whether it was deleted; `whenDone` is called as soon as it is. */
    async delete(file: NamedFile, whenDone?: () => void): Promise<boolean> {
      if (!(await confirmDelete(texts.delete.title, deleteQuestion(file.original_name, trashDays)))) return false
      return deleteOne.run({ params: { id: file.id } }, whenDone ? { whenDone } : {})
    },
    async deleteMany(ids: ReadonlySet<number>): Promise<boolean> {
      const title = texts.bulkDelete.title({ count: ids.size })
      if (!(await confirmDelete(title, deleteManyQuestion(ids.size, trashDays)))) return false
      return deleteMany.run({ body: { fileIds: [...ids] } })
    },
    deletingMany: deleteMany.busy,
    download: (file: NamedFile) => download(() => downloadUrlOf(file)),
    /** A single file directly, several as a ZIP called `name`. */
    downloadMany: (ids: ReadonlySet<number>, name?: string) =>
      download(async () => {
        const [first] = ids
        if (ids.size === 1 && first !== undefined) return downloadUrlOf({ id: first })
        const { url } = await call(requestZip, { body: { fileIds: [...ids] } })
        return name === undefined ? url : `${url}&name=${encodeURIComponent(name)}`
      }),
    async rehash(file: NamedFile): Promise<void> {
      if (await confirmRehash(1, texts.rehash.confirm({ name: file.original_name }))) void rehashing.begin([file.id])
    },
    async rehashMany(ids: ReadonlySet<number>): Promise<void> {
      if (await confirmRehash(ids.size, texts.rehash.confirmMany({ count: ids.size }))) void rehashing.begin([...ids])
    },
    rehashing: rehashing.rows,
  }
}

function confirmDelete(title: string, text: string): Promise<boolean> {
  return confirmInDialog({ title, text, label: texts.delete.label })
}

function confirmRehash(count: number, text: string): Promise<boolean> {
  const { title, label } = texts.rehash
  return confirmInDialog({ title: title({ count }), text, label, harmless: true })
}

function showNotFoundToast(error: unknown): undefined {
  showFailure(texts.someMissing, error)
}

/** Fetched again, because the signed URL in the list may have expired. */
async function downloadUrlOf({ id }: Pick<MediaFile, 'id'>): Promise<string> {
  const { download_url } = await call(getMedia, { params: { id } })
  await assertDownloadable(download_url)
  return download_url
}

/** A download link reports no error, so the first byte is requested before. Other origins may not allow that. */
async function assertDownloadable(address: string): Promise<void> {
  if (new URL(address, location.href).origin !== location.origin) return
  const response = await fetch(address, { headers: { range: 'bytes=0-0' }, credentials: 'omit' })
  await response.body?.cancel()
  if (!response.ok) throw new Error(texts.download.refused({ status: String(response.status) }))
}

async function download(findAddress: () => Promise<string>): Promise<void> {
  try {
    const link = document.createElement('a')
    link.href = await findAddress()
    link.download = ''
    link.click()
    toast.success(texts.download.success)
  } catch (error) {
    showFailure(texts.download.failure, error)
  }
}
