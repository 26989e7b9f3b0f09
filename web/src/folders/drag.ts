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

export function droppedFiles(transfer: DataTransfer): number[] {
  return parseIds(transfer.getData(DRAGGED_FILES))
}

/** Anything may be dropped on a page, so everything but a list of ids is ignored. */
export function parseIds(text: string): number[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every(isId) ? [...new Set<number>(list)] : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function isId(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
