import { ArrowDown, ArrowUp, EllipsisVertical } from 'lucide-react'
import { memo } from 'react'
import type { GridFile } from '#contract/grid.ts'
import type { ListSort, SortField, SortOrder } from '#contract/media-list.ts'
import { heartLabel } from '../../hearts/counts-in-words.ts'
import { HeartButton } from '../../hearts/HeartButton.tsx'
import { formatSize } from '../../kit/format.ts'
import { useCan } from '../../kit/me.tsx'
import { reasonInWords } from '../../media/reason-in-words.ts'
import { formatShortDay } from '../format.ts'
import { Thumbnail } from '../Thumbnail.tsx'
import { texts } from '../texts.ts'
import { accessibleName, damageOf, fileFacts, fileKind, preparingText } from './file-description.ts'
import { RenameField } from './RenameField.tsx'
import { type CellProps, SelectButton } from './Tile.tsx'

interface Props extends Omit<CellProps, 'column'> {
  row: number
  top: number
  height: number
}

const THUMBNAIL = 44

export const ListRow = memo(function ListRow(props: Props) {
  const { file, index, row, top, height, current } = props
  const mayHeart = useCan('media.heart')
  const place = { top, height }
  if (file === undefined) {
    return (
      <tr
        aria-rowindex={row}
        aria-busy="true"
        data-index={index}
        tabIndex={current ? 0 : -1}
        className="absolute inset-x-0 flex items-center border-line border-b"
        style={place}
      >
        <td className="ml-[52px] size-[44px] rounded-control bg-sunken" />
      </tr>
    )
  }
  const { selected, total, renaming, onRenaming } = props
  return (
    <tr
      aria-rowindex={row}
      aria-selected={selected}
      aria-label={accessibleName(file, index, total, 'facts')}
      data-index={index}
      tabIndex={current ? 0 : -1}
      draggable
      className={`tile group/tile absolute inset-x-0 cursor-pointer select-none border-line border-b ${listColumns} ${selected ? 'bg-accent-wash' : 'hover:bg-raised'}`}
      style={place}
    >
      <td className="relative h-touch">
        <SelectButton name={file.original_name} selected={selected} reachable={current} />
      </td>
      <td className="relative size-[44px]">
        <Thumbnail key={file.thumbnail_url ?? file.id} file={file} width={THUMBNAIL} height={THUMBNAIL} />
      </td>
      <td className="min-w-0">
        {renaming ? (
          <RenameField key={renaming.startedAt} file={file} renaming={renaming} onChange={onRenaming} />
        ) : (
          <NameAndState file={file} />
        )}
      </td>
      <Details file={file} />
      <td className="relative hidden h-touch sm:block">
        {mayHeart && (
          <HeartButton
            hearts={file.hearts}
            hearted={file.hearted}
            aria-label={heartLabel(file)}
            tabIndex={current ? 0 : -1}
            className="flex size-touch items-center justify-center gap-1 rounded-control text-fine text-ink-soft hover:bg-sunken hover:text-ink"
          />
        )}
      </td>
      <td className="relative h-touch">
        <button
          type="button"
          aria-label={texts.more({ name: file.original_name })}
          aria-haspopup="menu"
          data-part="menu"
          tabIndex={current ? 0 : -1}
          className="grid size-touch place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <EllipsisVertical aria-hidden="true" className="size-5" />
        </button>
      </td>
    </tr>
  )
})

function NameAndState({ file }: { file: GridFile }) {
  return (
    <>
      <span className="block truncate" title={file.original_name}>
        <bdi>{file.original_name}</bdi>
      </span>
      <State file={file} />
    </>
  )
}

function State({ file }: { file: GridFile }) {
  if (file.status === 'processing') {
    return <span className="block text-fine text-ink-soft">{preparingText(file.progress)}</span>
  }
  if (file.status === 'failed') {
    const reason = file.failure_reason && reasonInWords(file.failure_reason)
    return (
      <span className="block truncate text-fine text-warn" title={reason}>
        {damageOf(file) ?? reason ?? texts.couldNotPrepare}
      </span>
    )
  }
  const damage = damageOf(file)
  if (damage !== null) return <span className="block truncate text-fine text-warn">{damage}</span>
  if (file.caption !== undefined) {
    return (
      <span className="block truncate text-fine text-ink-soft" title={file.caption}>
        <bdi>{file.caption}</bdi>
      </span>
    )
  }
  return <span className="block truncate text-fine text-ink-soft sm:hidden">{fileFacts(file)}</span>
}

function Details({ file }: { file: GridFile }) {
  return (
    <>
      <td className="hidden truncate text-ink-soft text-small sm:block">{formatShortDay(file.edtf ?? file.day)}</td>
      <td className="hidden truncate text-ink-soft text-small sm:block">{formatSize(file.file_size)}</td>
      <td className="hidden truncate text-ink-soft text-small lg:block">{fileKind(file)}</td>
      <td className="hidden text-ink-soft text-small leading-tight lg:line-clamp-2" title={file.location}>
        {file.location}
      </td>
    </>
  )
}

/** Narrow screens omit the less important columns. On phones the chat button has a lane at the right. */
const listColumns =
  'list-columns grid grid-cols-[44px_56px_minmax(0,1fr)_44px] items-center gap-x-2 max-sm:pr-[60px] sm:grid-cols-[44px_56px_minmax(0,1fr)_8rem_6rem_44px_44px] lg:grid-cols-[44px_56px_minmax(0,1fr)_8rem_6rem_6.5rem_minmax(0,0.8fr)_44px_44px]'

const columns: readonly { field: Exclude<SortField, 'added'>; hidden: string }[] = [
  { field: 'name', hidden: '' },
  { field: 'date', hidden: 'hidden sm:block' },
  { field: 'size', hidden: 'hidden sm:block' },
  { field: 'type', hidden: 'hidden lg:block' },
  { field: 'location', hidden: 'hidden lg:block' },
]

interface ListHeaderProps {
  sort: ListSort
  order: SortOrder
  /** Absent where the order is given. */
  onSort: ((field: SortField) => void) | undefined
  onReverse: () => void
}

export function ListHeader({ sort, order, onSort, onReverse }: ListHeaderProps) {
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <thead className="block">
      <tr aria-rowindex={1} className={`${listColumns} border-line border-b text-ink-soft text-small`}>
        <td className="col-span-2" />
        {columns.map(({ field, hidden }) => (
          <th
            key={field}
            scope="col"
            aria-sort={sort === field ? (order === 'asc' ? 'ascending' : 'descending') : 'none'}
            className={`text-left font-normal ${hidden}`}
          >
            <button
              type="button"
              disabled={onSort === undefined}
              onClick={() => (sort === field ? onReverse() : onSort?.(field))}
              className={`-ml-1 inline-flex min-h-touch items-center gap-1 rounded-control px-1 hover:text-ink ${sort === field ? 'font-semibold text-ink' : ''}`}
            >
              {texts.columns[field]}
              {sort === field && <Arrow aria-hidden="true" className="size-4" />}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  )
}
