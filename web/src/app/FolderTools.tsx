import { useQuery } from '@tanstack/react-query'
import { foldersQuery } from '../kit/queries.ts'
import { DownloadInPartsButton } from './DownloadInParts.tsx'
import { KeepButton, useKeepOffered } from './keep/KeepOnDevice.tsx'
import type { NewKept } from './keep/keeping.ts'

/** Above the photos of a folder, which has no menu of its own. */
export function FolderTools({ folderId }: { folderId: number }) {
  const folder = useQuery(foldersQuery).data?.find(({ id }) => id === folderId)
  if (folder === undefined) return null
  return <Tools list={{ kind: 'folder', id: folderId, name: folder.name, files: folder.file_count }} />
}

/** Without "Keep on this device" there is no row: its photos begin where those of the gallery do. A selection can be downloaded, too. */
function Tools({ list }: { list: NewKept & { id: number } }) {
  if (!useKeepOffered(list)) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <KeepButton list={list} />
      {list.files > 0 && <DownloadInPartsButton list={{ folder_id: list.id }} title={list.name} />}
    </div>
  )
}
