/** A JSON list of ids, as the gallery's files carry it. */
const FILES = 'application/x-heirloom-files'
const FOLDER = 'application/x-heirloom-folder'

export type DragKind = 'files' | 'folder'

/** While something is dragged, a browser tells only of which kind it is. */
export function dragKind(types: readonly string[]): DragKind | undefined {
  if (types.includes(FILES)) return 'files'
  return types.includes(FOLDER) ? 'folder' : undefined
}

export function setDraggedFolder(transfer: DataTransfer, id: number): void {
  transfer.setData(FOLDER, String(id))
  transfer.effectAllowed = 'move'
}

export function droppedFiles(transfer: DataTransfer): number[] {
  return parseIds(transfer.getData(FILES))
}

/** Anything may be dropped on a page, from another window too: what is no list of ids is nothing. */
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
