import { type DragEvent, useEffect, useState } from 'react'
import type { Folder } from '#contract/folders.ts'
import { droppedFiles } from '../../media/drag.ts'
import { expand } from '../collapsed-folders.ts'
import { dragKind, setDraggedFolder } from '../drag.ts'
import { canMove, type TreeItemId } from '../tree.ts'
import { itemIdOf } from './tree-item.ts'

interface Drops {
  byId: ReadonlyMap<number, Folder>
  /** Both undefined where nothing can be moved. */
  onFiles: ((into: number | null, fileIds: number[]) => void) | undefined
  onFolder: ((id: number, into: number | null) => void) | undefined
}

/** A folder expands after a drag has hovered over it this long, in milliseconds. */
const EXPAND_DELAY = 700

/** Drag and drop of files and folders onto items of the tree. */
export function useTreeDragAndDrop({ byId, onFiles, onFolder }: Drops) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<TreeItemId | null>(null)

  useEffect(() => {
    if (typeof over !== 'number') return
    const timer = setTimeout(() => expand(over), EXPAND_DELAY)
    return () => clearTimeout(timer)
  }, [over])

  /** Undefined where dropping is not allowed. */
  function dropTargetOf(event: DragEvent): TreeItemId | undefined {
    const item = itemIdOf(event.target)
    const kind = dragKind(event.dataTransfer.types)
    if (item === undefined || kind === undefined || onFiles === undefined) return undefined
    const lands = kind === 'files' || (dragged !== null && canMove(byId, dragged, folderOf(item)))
    return lands ? item : undefined
  }

  function onDragStart(event: DragEvent) {
    const item = itemIdOf(event.target)
    if (typeof item !== 'number') return
    setDraggedFolder(event.dataTransfer, item)
    setDragged(item)
  }

  function onDragOver(event: DragEvent) {
    const item = dropTargetOf(event)
    setOver(item ?? null)
    if (item === undefined) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
  }

  function onDragLeave(event: DragEvent) {
    const left = !(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))
    if (left) setOver(null)
  }

  function onDrop(event: DragEvent) {
    const item = dropTargetOf(event)
    setOver(null)
    if (item === undefined) return
    event.preventDefault()
    const fileIds = droppedFiles(event.dataTransfer)
    if (fileIds.length > 0) onFiles?.(folderOf(item), fileIds)
    else if (dragged !== null) onFolder?.(dragged, folderOf(item))
  }

  function onDragEnd() {
    setDragged(null)
    setOver(null)
  }
  return { dragged, over, handlers: { onDragStart, onDragOver, onDragLeave, onDrop, onDragEnd } }
}

function folderOf(item: TreeItemId): number | null {
  return typeof item === 'number' ? item : null
}
