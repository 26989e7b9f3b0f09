import { type DragEvent, useEffect, useState } from 'react'
import type { Folder } from '#contract/folders.ts'
import { carriedKind, carryFolder, droppedFiles } from '../drag.ts'
import { unfold } from '../folded.ts'
import { canMove, type Place } from '../tree.ts'
import { placeOf } from './place.ts'

interface Drops {
  byId: ReadonlyMap<number, Folder>
  onFiles: (into: number | null, fileIds: number[]) => void
  onFolder: (id: number, into: number | null) => void
}

/** How long something dragged rests on a folder until it opens. */
const OPENS_AFTER = 700

/** Files and folders dragged onto the lines of the tree. */
export function useTreeDrop({ byId, onFiles, onFolder }: Drops) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<Place | null>(null)

  useEffect(() => {
    if (typeof over !== 'number') return
    const timer = setTimeout(() => unfold(over), OPENS_AFTER)
    return () => clearTimeout(timer)
  }, [over])

  /** Where it would land; undefined where it cannot. */
  function landing(event: DragEvent): Place | undefined {
    const place = placeOf(event.target)
    const kind = carriedKind(event.dataTransfer.types)
    if (place === undefined || kind === undefined) return undefined
    const lands = kind === 'files' || (dragged !== null && canMove(byId, dragged, folderOf(place)))
    return lands ? place : undefined
  }

  function onDragStart(event: DragEvent) {
    const place = placeOf(event.target)
    if (typeof place !== 'number') return
    carryFolder(event.dataTransfer, place)
    setDragged(place)
  }

  function onDragOver(event: DragEvent) {
    const place = landing(event)
    setOver(place ?? null)
    if (place === undefined) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
  }

  function onDragLeave(event: DragEvent) {
    const left = !(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))
    if (left) setOver(null)
  }

  function onDrop(event: DragEvent) {
    const place = landing(event)
    setOver(null)
    if (place === undefined) return
    event.preventDefault()
    const fileIds = droppedFiles(event.dataTransfer)
    if (fileIds.length > 0) onFiles(folderOf(place), fileIds)
    else if (dragged !== null) onFolder(dragged, folderOf(place))
  }

  function onDragEnd() {
    setDragged(null)
    setOver(null)
  }
  return { dragged, over, handlers: { onDragStart, onDragOver, onDragLeave, onDrop, onDragEnd } }
}

function folderOf(place: Place): number | null {
  return typeof place === 'number' ? place : null
}
