import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Folder } from '#contract/folders.ts'
import { useVirtualRows } from '../../ui/use-virtual-rows.ts'
import { collapse, expand, useCollapsedFolders } from '../collapsed-folders.ts'
import type { FileCounts } from '../queries.ts'
import { texts } from '../texts.ts'
import { type TreeItemId, type TreeRow, topItems, treeRows } from '../tree.ts'
import { FolderRow, TopItem } from './FolderRow.tsx'
import { controlOf, itemElementOf, itemIdOf } from './tree-item.ts'
import { findByTypeahead, keyAction, useTypeahead } from './tree-keys.ts'
import { useRovingFocus } from './use-roving-focus.ts'
import { useTreeDragAndDrop } from './use-tree-drag-and-drop.ts'

interface TreeEdits {
  rename: (folder: Folder) => void
  remove: (folder: Folder) => void
  openMenu: (folder: Folder, anchor: HTMLElement) => void
  moveFolder: (id: number, into: number | null) => void
  moveFiles: (into: number | null, fileIds: number[]) => void
}

export interface TreeHandle {
  /** Scrolls to an item and focuses it. */
  focus: (item: TreeItemId) => void
  /** Scrolls to a folder, once the tree has it. */
  scrollTo: (folderId: number) => void
}

interface Props {
  ref: Ref<TreeHandle>
  folders: readonly Folder[]
  byId: ReadonlyMap<number, Folder>
  counts: FileCounts
  selected: TreeItemId | null
  renaming: number | null
  onRenamed: () => void
  onSelect: (item: TreeItemId) => void
  /** Undefined where folders cannot be changed. */
  edit: TreeEdits | undefined
}

/** An ARIA tree with a roving tabindex. Events are delegated: the tree handles those of all items. */
export function FolderTree({ ref, folders, byId, counts, selected, renaming, onRenamed, onSelect, edit }: Props) {
  const folded = useCollapsedFolders()
  const top = topItems(folders, selected)
  const rows = useMemo(() => treeRows(folders, folded, top.length), [folders, folded, top.length])
  const lineCount = top.length + rows.length
  const scroller = useRef<HTMLDivElement>(null)
  const tree = useRef<HTMLDivElement>(null)
  const view = useVirtualRows(lineCount, scroller, tree, 40)
  const [current, focus, setCurrent] = useRovingFocus(scroller, top, rows, selected)
  const typing = useTypeahead()
  const drop = useTreeDragAndDrop({ byId, onFiles: edit?.moveFiles, onFolder: edit?.moveFolder })
  const scrollTo = useScrollToFolder(scroller, rows, index => (top.length + index) * view.rowHeight)
  useImperativeHandle(ref, () => ({ focus, scrollTo }))

  function onClick(event: MouseEvent) {
    const item = itemIdOf(event.target)
    const part = controlOf(event.target)
    if (item === undefined || part === 'field') return
    const row = rows.find(({ folder }) => folder.id === item)
    if (row === undefined) return onSelect(item)
    if (part === 'fold') return row.expanded ? collapse(row.folder.id) : expand(row.folder.id)
    if (part === 'rename') return edit?.rename(row.folder)
    if (part === 'menu') return edit?.openMenu(row.folder, anchorOf(event.target))
    onSelect(item)
  }

  function onKeyDown(event: KeyboardEvent) {
    const item = itemIdOf(event.target)
    const onButton = controlOf(event.target) !== undefined
    if (item === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const step = keyAction(event.key, top, rows, item)
    if (step !== undefined) {
      event.preventDefault()
      if ('to' in step) focus(step.to)
      else if ('fold' in step) collapse(step.fold)
      else expand(step.unfold)
    } else if (!onButton && act(event, item)) event.preventDefault()
  }

  /** Returns whether the key was handled. */
  function act(event: KeyboardEvent, item: TreeItemId): boolean {
    const { key, shiftKey } = event
    const folder = typeof item === 'number' ? byId.get(item) : undefined
    if (key === 'Enter' || key === ' ') onSelect(item)
    else if (key.length === 1) focus(findByTypeahead(rows, item, typing(key)) ?? item)
    else if (folder === undefined || edit === undefined) return false
    else if (key === 'F2') edit.rename(folder)
    else if (key === 'Delete') edit.remove(folder)
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) edit.openMenu(folder, anchorOf(event.target))
    else return false
    return true
  }

  const lineState = (item: TreeItemId, index: number) => ({
    top: index * view.rowHeight,
    selected: item === selected,
    current: item === current,
    isDropTarget: item === drop.over,
  })
  const isDrawn = (item: TreeItemId, index: number) =>
    (index >= view.first && index < view.end) || item === current || item === drop.dragged
  const roots = rows[0]?.siblings ?? top.length
  return (
    <div ref={scroller} className="folder-scroller flex-1">
      <div
        ref={tree}
        role="tree"
        aria-label={texts.title}
        className="relative"
        style={{ height: lineCount * view.rowHeight }}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={event => setCurrent(itemIdOf(event.target) ?? current)}
        {...drop.handlers}
      >
        {/* For measuring the height of a row. */}
        <div aria-hidden="true" className="folder-line invisible absolute inset-x-0" />
        {top.map((item, index) => {
          if (!isDrawn(item, index)) return null
          const line = lineState(item, index)
          return <TopItem key={item} {...line} item={item} count={counts[item]} position={index + 1} siblings={roots} />
        })}
        {rows.map((row, at) => {
          const { id } = row.folder
          const index = top.length + at
          if (!isDrawn(id, index) && id !== renaming) return null
          return (
            <FolderRow
              key={id}
              {...lineState(id, index)}
              row={row}
              editable={edit !== undefined}
              renaming={id === renaming}
              onRenamed={onRenamed}
            />
          )
        })}
      </div>
    </div>
  )
}

/** By the position of the row, which may not be rendered yet. */
function useScrollToFolder(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly TreeRow[],
  topOf: (index: number) => number,
): (folderId: number) => void {
  const [wanted, setWanted] = useState<number | null>(null)
  useEffect(() => {
    const index = wanted === null ? -1 : rows.findIndex(({ folder }) => folder.id === wanted)
    const outer = scroller.current
    if (index === -1 || outer === null) return
    setWanted(null)
    const [from, to] = [topOf(index), topOf(index + 1)]
    const padding = 2 * Number.parseFloat(getComputedStyle(outer).paddingTop)
    if (from < outer.scrollTop) outer.scrollTop = from
    else if (to + padding > outer.scrollTop + outer.clientHeight) outer.scrollTop = to + padding - outer.clientHeight
  }, [wanted, rows, scroller, topOf])
  return setWanted
}

/** The item's menu button, or the item while the button is hidden. */
function anchorOf(target: EventTarget): HTMLElement {
  const line = target instanceof Element ? itemElementOf(target) : null
  if (line === null) throw new Error('The event came from outside all items')
  return line.querySelector<HTMLElement>('[data-part=menu]') ?? line
}
