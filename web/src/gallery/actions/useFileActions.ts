import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { bulkDelete, deleteMedia, getMedia, type MediaFile, orderZip, renameMedia } from '#contract/media.ts'
import { useAction } from '../../kit/action.ts'
import { call } from '../../kit/api.ts'
import { query } from '../../kit/queries.ts'
import { useAppSettings } from '../../kit/settings.ts'
import { texts } from '../texts.ts'
import { useRehash } from './rehash/useRehash.ts'

/** What can be done to files from the gallery, with the questions asked first and the answers told after. */
export function useFileActions() {
  const client = useQueryClient()
  const { trashDays } = useAppSettings()
  const rename = useAction(renameMedia, {
    success: texts.rename.success,
    failure: texts.rename.failure,
    changes: ({ params }) => [{ kind: 'media', ids: [Number(params.id)] }],
  })
  const deleteOne = useAction(deleteMedia, {
    success: texts.delete.success,
    failure: texts.delete.failure,
    changes: ({ params }) => [{ kind: 'media', ids: [Number(params.id)] }],
  })
  const deleteMany = useAction(bulkDelete, {
    success: ({ deleted }) => texts.bulkDelete.success(deleted),
    failure: texts.bulkDelete.failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds }],
  })
  const rehashing = useRehash()

  return {
    /** Undefined where it is gone. */
    find: (id: number): Promise<MediaFile | undefined> =>
      client.fetchQuery(query(getMedia, { params: { id } })).catch(sayNotFound),
    rename(file: MediaFile, newName: string): Promise<boolean> {
      const params = { id: file.id }
      const undo = [{ params, body: { newName: file.original_name } }]
      return rename.run({ params, body: { newName } }, { undo })
    },
    /** Resolves to whether it was deleted; `whenDone` is called as soon as it is. */
    async delete(file: MediaFile, whenDone?: () => void): Promise<boolean> {
      if (!window.confirm(texts.delete.confirm(file.original_name, trashDays))) return false
      return deleteOne.run({ params: { id: file.id } }, whenDone ? { whenDone } : {})
    },
    async deleteMany(ids: ReadonlySet<number>): Promise<boolean> {
      if (!window.confirm(texts.bulkDelete.confirm(ids.size))) return false
      return deleteMany.run({ body: { fileIds: [...ids] } })
    },
    deletingMany: deleteMany.busy,
    download: (file: MediaFile) => download(() => addressOf(file)),
    /** One file as it is, several as one ZIP. */
    downloadMany: (ids: ReadonlySet<number>) =>
      download(async () => {
        const [first] = ids
        if (ids.size === 1 && first !== undefined) return addressOf({ id: first })
        return (await call(orderZip, { body: { fileIds: [...ids] } })).url
      }),
    rehash(file: MediaFile): void {
      if (window.confirm(texts.rehash.confirm(file.original_name))) void rehashing.begin([file.id])
    },
    rehashMany(ids: ReadonlySet<number>): void {
      if (window.confirm(texts.rehash.confirmMany(ids.size))) void rehashing.begin([...ids])
    },
    rehashing: rehashing.rows,
  }
}

function sayNotFound(error: unknown): undefined {
  toast.error(texts.someMissing, error instanceof Error ? { description: error.message } : {})
}

/** Asked for anew, because the address in the list may have run out. */
async function addressOf({ id }: Pick<MediaFile, 'id'>): Promise<string> {
  const { download_url } = await call(getMedia, { params: { id } })
  await seeThatItIsThere(download_url)
  return download_url
}

/** A link cannot tell that it led nowhere, so its first byte is asked for. A storage elsewhere need not answer to us. */
async function seeThatItIsThere(address: string): Promise<void> {
  if (new URL(address, location.href).origin !== location.origin) return
  const response = await fetch(address, { headers: { range: 'bytes=0-0' }, credentials: 'omit' })
  await response.body?.cancel()
  if (!response.ok) throw new Error(texts.download.refused(response.status))
}

/** The browser fetches the file by itself, under the name that comes with it. */
async function download(findAddress: () => Promise<string>): Promise<void> {
  try {
    const link = document.createElement('a')
    link.href = await findAddress()
    link.download = ''
    link.click()
    toast.success(texts.download.success)
  } catch (error) {
    toast.error(texts.download.failure, error instanceof Error ? { description: error.message } : {})
  }
}
