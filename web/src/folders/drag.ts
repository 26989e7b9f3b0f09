import { DRAGGED_FILES } from '../media/drag.ts'

const FOLDER = 'application/x-heirloom-folder'

export type DragKind = 'files' | 'folder'

/** During a drag, browsers reveal only the MIME types. */
export function dragKind(types: readonly string[]): DragKind | undefined {
  if (types.includes(DRAGGED_FILES)) return 'files'
  return types.includes(FOLDER) ? 'folder' : undefined
}

export function setDraggedFolder(transfer: DataTransfer, id: number): void {
  transfer.setData(FOLDER, String(id))
  transfer.effectAllowed = 'move'
}
