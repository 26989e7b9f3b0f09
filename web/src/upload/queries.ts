import { useQuery } from '@tanstack/react-query'
import type { Folder } from '#contract/folders.ts'
import { foldersQuery } from '../kit/queries.ts'

const none: readonly Folder[] = []

export function useFolders(): readonly Folder[] {
  return useQuery(foldersQuery).data ?? none
}
