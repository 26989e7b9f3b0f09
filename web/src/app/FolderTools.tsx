import { useQuery } from '@tanstack/react-query'
import { foldersQuery } from '../kit/queries.ts'
import { DownloadInPartsButton } from './DownloadInParts.tsx'
import { KeepButton } from './keep/KeepOnDevice.tsx'

/** Above the photos of a folder, which has no menu of its own. */
export function FolderTools({ folderId }: { folderId: number }) {
  const folder = useQuery(foldersQuery).data?.find(({ id }) => id === folderId)
  if (folder === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <KeepButton list={{ kind: 'folder', id: folderId, name: folder.name, files: folder.file_count }} />
      {folder.file_count > 0 && <DownloadInPartsButton list={{ folder_id: folderId }} title={folder.name} />}
    </div>
  )
}
