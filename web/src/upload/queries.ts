import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Folder, listFolders } from '#contract/folders.ts'
import { listMedia, timeline } from '#contract/media.ts'
import { foldersQuery, keyOf } from '../kit/queries.ts'

const none: readonly Folder[] = []

export function useFolders(): readonly Folder[] {
  return useQuery(foldersQuery).data ?? none
}

/** What an upload changes is read again. */
export async function refreshLibrary(client: QueryClient): Promise<void> {
  await Promise.all([listMedia, timeline, listFolders].map(read => client.invalidateQueries({ queryKey: keyOf(read) })))
}
