import { ChevronRight, EllipsisVertical, Pencil } from 'lucide-react'
import { memo } from 'react'
import { formatCount } from '../../kit/format.ts'
import { texts as kitTexts } from '../../kit/texts.ts'
import { texts } from '../texts.ts'
import { indentPx, type TreeRow } from '../tree.ts'
import { RenameField } from './RenameField.tsx'

export interface ItemState {
  top: number
  selected: boolean
  /** The tab stop of the tree (roving tabindex). */
  current: boolean
  /** Whether the dragged files or folder would be dropped here. */
  isDropTarget: boolean
}

interface Props extends ItemState {
  row: TreeRow
  /** Whether it can be renamed, moved and deleted. */
  editable: boolean
  renaming: boolean
  onRenamed: () => void
}

/** Events are handled by the tree, which finds item and control by `data-item` and `data-part`. */
export const FolderRow = memo(function FolderRow({ row, editable, renaming, onRenamed, ...line }: Props) {
  const { folder, fileCount, position, siblings, hasChildren, expanded } = row
  return (
    <div
      role="treeitem"
      aria-level={folder.level + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      {...(hasChildren ? { 'aria-expanded': expanded } : {})}
      aria-label={texts.withFiles({ name: folder.name, count: fileCount })}
      aria-current={line.selected ? 'page' : undefined}
      data-item={folder.id}
      data-over={line.isDropTarget || undefined}
      tabIndex={line.current ? 0 : -1}
      draggable={editable && !renaming}
      className="folder-line group/line absolute inset-x-0 flex items-center"
      style={{ top: line.top, paddingLeft: indentPx(folder.level) }}
    >
      <span
        aria-hidden="true"
        data-part={hasChildren ? 'fold' : undefined}
        className="grid h-full w-7 shrink-0 place-items-center text-ink-soft"
      >
        {hasChildren && (
          <ChevronRight className={`size-4 motion-quick transition-[rotate] ${expanded ? 'rotate-90' : ''}`} />
        )}
      </span>
      {renaming ? (
        <RenameField folder={folder} onDone={onRenamed} />
      ) : (
        <>
          <span dir="auto" title={folder.name} className="line-clamp-2 min-w-0 flex-1 break-words leading-[1.15]">
            {folder.name}
          </span>{' '}
          <span aria-hidden="true" className="folder-count">
            {formatCount(fileCount)}
          </span>
          {editable && <RowButtons name={folder.name} reachable={line.current} />}
        </>
      )}
    </div>
  )
})

function RowButtons({ name, reachable }: { name: string; reachable: boolean }) {
  const tabIndex = reachable ? 0 : -1
  return (
    <span className="folder-buttons">
      <button
        type="button"
        data-part="rename"
        aria-label={texts.rename.of({ name })}
        title={texts.rename.label}
        tabIndex={tabIndex}
        className="folder-button pointer-coarse:hidden"
      >
        <Pencil aria-hidden="true" className="size-4" />
      </button>
      <button
        type="button"
        data-part="menu"
        aria-label={texts.actions({ name })}
        aria-haspopup="menu"
        tabIndex={tabIndex}
        className="folder-button"
      >
        <EllipsisVertical aria-hidden="true" className="size-4" />
      </button>
    </span>
  )
}

interface TopRowProps extends ItemState {
  item: 'all' | 'root'
  count: number | undefined
  position: number
  siblings: number
}

/** All files, or the files in no folder. */
export function TopItem({ item, count, position, siblings, ...line }: TopRowProps) {
  const name = item === 'all' ? texts.all : kitTexts.noFolder
  return (
    <div
      role="treeitem"
      aria-level={1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-label={count === undefined ? name : texts.withFiles({ name, count })}
      aria-current={line.selected ? 'page' : undefined}
      data-item={item}
      data-over={line.isDropTarget || undefined}
      tabIndex={line.current ? 0 : -1}
      className="folder-line absolute inset-x-0 flex items-center pl-7"
      style={{ top: line.top }}
    >
      <span className="min-w-0 flex-1 truncate">{name}</span>{' '}
      {count !== undefined && (
        <span aria-hidden="true" className="folder-count">
          {formatCount(count)}
        </span>
      )}
    </div>
  )
}
