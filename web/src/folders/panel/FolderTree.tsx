import { type KeyboardEvent, type MouseEvent, type Ref, useImperativeHandle, useMemo } from 'react'
import type { Folder } from '#contract/folders.ts'
import { fold, unfold, useFolded } from '../folded.ts'
import type { FileCounts } from '../queries.ts'
import { texts } from '../texts.ts'
import { type Place, topLines, treeRows } from '../tree.ts'
import { FolderRow, TopRow } from './FolderRow.tsx'
import { findTyped, stepFrom } from './keys.ts'
import { lineOf, partOf, placeOf } from './place.ts'
import { useCurrentLine } from './useCurrentLine.ts'
import { useRowWindow } from './useRowWindow.ts'
import { useTreeDrop } from './useTreeDrop.ts'
import { useTyping } from './useTyping.ts'

export interface TreeActions {
  select: (place: Place) => void
  rename: (folder: Folder) => void
  remove: (folder: Folder) => void
  openMenu: (folder: Folder, anchor: HTMLElement) => void
  moveFolder: (id: number, into: number | null) => void
  moveFiles: (into: number | null, fileIds: number[]) => void
}

export interface TreeHandle {
  /** Brings a line into sight and gives it the focus. */
  focus: (place: Place) => void
}

interface Props {
  ref: Ref<TreeHandle>
  folders: readonly Folder[]
  byId: ReadonlyMap<number, Folder>
  counts: FileCounts
  selected: Place
  renaming: number | null
  onRenamed: () => void
  actions: TreeActions
}

/** All folders as a tree: one stop for Tab, arrows inside it. The tree listens for all its lines. */
export function FolderTree({ ref, folders, byId, counts, selected, renaming, onRenamed, actions }: Props) {
  const folded = useFolded()
  const top = topLines(folders, selected)
  const rows = useMemo(() => treeRows(folders, folded, top.length), [folders, folded, top.length])
  const lineCount = top.length + rows.length
  const view = useRowWindow(lineCount)
  const [current, focus, setCurrent] = useCurrentLine(view.scroller, top, rows, selected)
  const typing = useTyping()
  const drop = useTreeDrop({ byId, onFiles: actions.moveFiles, onFolder: actions.moveFolder })
  useImperativeHandle(ref, () => ({ focus }))

  function onClick(event: MouseEvent) {
    const place = placeOf(event.target)
    const part = partOf(event.target)
    if (place === undefined || part === 'field') return
    const row = rows.find(({ folder }) => folder.id === place)
    if (row === undefined) return actions.select(place)
    if (part === 'fold') return row.unfolded ? fold(row.folder.id) : unfold(row.folder.id)
    if (part === 'rename') return actions.rename(row.folder)
    if (part === 'menu') return actions.openMenu(row.folder, anchorOf(event.target))
    actions.select(place)
  }

  function onKeyDown(event: KeyboardEvent) {
    const place = placeOf(event.target)
    const onButton = partOf(event.target) !== undefined
    if (place === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const step = stepFrom(event.key, top, rows, place)
    if (step !== undefined) {
      event.preventDefault()
      if ('to' in step) focus(step.to)
      else if ('fold' in step) fold(step.fold)
      else unfold(step.unfold)
    } else if (!onButton && act(event, place)) event.preventDefault()
  }

  /** True where the key means something here. */
  function act(event: KeyboardEvent, place: Place): boolean {
    const { key, shiftKey } = event
    const folder = typeof place === 'number' ? byId.get(place) : undefined
    if (key === 'Enter' || key === ' ') actions.select(place)
    else if (key.length === 1) focus(findTyped(rows, place, typing(key)) ?? place)
    else if (folder === undefined) return false
    else if (key === 'F2') actions.rename(folder)
    else if (key === 'Delete') actions.remove(folder)
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) actions.openMenu(folder, anchorOf(event.target))
    else return false
    return true
  }

  const lineState = (place: Place, index: number) => ({
    top: index * view.rowHeight,
    selected: place === selected,
    current: place === current,
    over: place === drop.over,
  })
  const isDrawn = (place: Place, index: number) =>
    (index >= view.first && index < view.end) || place === current || place === drop.dragged
  const roots = rows[0]?.siblings ?? top.length
  return (
    <div ref={view.scroller} onScroll={view.onScroll} className="folder-scroller min-h-0 flex-1">
      <div
        role="tree"
        aria-label={texts.title}
        className="relative"
        style={{ height: lineCount * view.rowHeight }}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={event => setCurrent(placeOf(event.target) ?? current)}
        {...drop.handlers}
      >
        <div ref={view.ruler} aria-hidden="true" className="folder-line invisible absolute inset-x-0" />
        {top.map((place, index) => {
          if (!isDrawn(place, index)) return null
          const line = lineState(place, index)
          return (
            <TopRow key={place} {...line} place={place} count={counts[place]} position={index + 1} siblings={roots} />
          )
        })}
        {rows.map((row, at) => {
          const { id } = row.folder
          const index = top.length + at
          if (!isDrawn(id, index) && id !== renaming) return null
          return (
            <FolderRow key={id} {...lineState(id, index)} row={row} renaming={id === renaming} onRenamed={onRenamed} />
          )
        })}
      </div>
    </div>
  )
}

/** A menu opens beside the line's button for it; while that is out of sight, beside the line. */
function anchorOf(target: EventTarget): HTMLElement {
  const line = target instanceof Element ? lineOf(target) : null
  if (line === null) throw new Error('The event came from outside all lines')
  return line.querySelector<HTMLElement>('[data-part=menu]') ?? line
}
