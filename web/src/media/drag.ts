/** MIME type of dragged files: a JSON list of their ids. */
export const DRAGGED_FILES = 'application/x-heirloom-files'

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
