import { useIsMounted } from '../../ui/hooks.ts'
import { useFolders, useMoveFiles } from '../queries.ts'
import { texts } from '../texts.ts'
import { DestinationDialog } from './DestinationDialog.tsx'

interface Props {
  fileIds: readonly number[]
  onClose: () => void
  onMoved: () => void
}

/** Open while it is mounted. */
export function MoveFilesDialog({ fileIds, onClose, onMoved }: Props) {
  const { folders } = useFolders()
  const move = useMoveFiles()
  const isMounted = useIsMounted()

  async function moveTo(folderId: number | null) {
    if (!(await move.run({ body: { fileIds: [...fileIds], folderId } }))) return
    onMoved()
    if (isMounted()) onClose()
  }
  return (
    <DestinationDialog
      title={texts.moveFiles.title({ count: fileIds.length })}
      folders={folders}
      busy={move.busy}
      onClose={onClose}
      onMove={into => void moveTo(into)}
    />
  )
}
