import { useMemo } from 'react'
import type { Folder } from '#contract/folders.ts'
import { useIsMounted } from '../../ui/hooks.ts'
import { useFolders, useUpdateFolder } from '../queries.ts'
import { texts } from '../texts.ts'
import { validParents } from '../tree.ts'
import { DestinationDialog } from './DestinationDialog.tsx'

interface Props {
  folder: Folder
  onClose: () => void
}

/** Offers no descendants of the folder. Open while it is mounted. */
export function MoveFolderDialog({ folder, onClose }: Props) {
  const { folders, byId } = useFolders()
  const update = useUpdateFolder()
  const isMounted = useIsMounted()
  const parents = useMemo(() => validParents(folders, byId, folder.id), [folders, byId, folder.id])

  async function moveTo(parent_id: number | null) {
    if ((await update.run({ params: { id: folder.id }, body: { parent_id } })) && isMounted()) onClose()
  }
  return (
    <DestinationDialog
      title={texts.moveFolder.title({ name: folder.name })}
      folders={parents}
      here={folder.parent_id}
      busy={update.busy}
      onClose={onClose}
      onMove={into => void moveTo(into)}
    />
  )
}
