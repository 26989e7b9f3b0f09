import { formatCount } from '../../kit/format.ts'

/** What a drag of files carries: a JSON list of their ids. */
const FILES = 'application/x-heirloom-files'

export function carryFiles(transfer: DataTransfer, ids: readonly number[]): void {
  transfer.setData(FILES, JSON.stringify(ids))
  transfer.effectAllowed = 'move'
  if (ids.length > 1) transfer.setDragImage(badge(ids.length), -12, -12)
}

/** A browser paints the drag's picture from an element on the page, and needs it for a moment only. */
function badge(count: number): HTMLElement {
  const element = document.createElement('div')
  element.className = 'drag-badge'
  element.textContent = formatCount(count)
  document.body.append(element)
  setTimeout(() => element.remove())
  return element
}
