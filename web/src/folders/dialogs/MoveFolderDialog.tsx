import { useMemo } from 'react'
import type { Folder } from '#contract/folders.ts'
import { useStillHere } from '../../ui/useStillHere.ts'
import { useFolders, useUpdateFolder } from '../queries.ts'
import { texts } from '../texts.ts'
import { homesFor } from '../tree.ts'
import { DestinationDialog } from './DestinationDialog.tsx'

interface Props {
  folder: Folder
  onClose: () => void
}

/** Asks into which folder another should go; never into itself or what lies in it. */
export function MoveFolderDialog({ folder, onClose }: Props) {
  const { folders, byId } = useFolders()
  const update = useUpdateFolder()
  const here = useStillHere()
  const homes = useMemo(() => homesFor(folders, byId, folder.id), [folders, byId, folder.id])

  async function moveTo(parent_id: number | null) {
    if ((await update.run({ params: { id: folder.id }, body: { parent_id } })) && here()) onClose()
  }
  return (
    <DestinationDialog
      title={texts.moveFolder.title(folder.name)}
      folders={homes}
      here={folder.parent_id}
      busy={update.busy}
      onClose={onClose}
      onMove={into => void moveTo(into)}
    />
  )
}
