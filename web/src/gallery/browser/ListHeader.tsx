import { ArrowDown, ArrowUp } from 'lucide-react'
import type { SortField, SortOrder } from '#contract/media.ts'
import { texts } from '../texts.ts'

/** The columns of the list, at any width; on narrow screens those that are left out are not needed to know a file. */
export const listColumns =
  'grid grid-cols-[44px_56px_minmax(0,1fr)_44px] items-center gap-x-2 sm:grid-cols-[44px_56px_minmax(0,1fr)_8rem_6rem_44px] lg:grid-cols-[44px_56px_minmax(0,1fr)_9rem_6rem_8rem_minmax(0,10rem)_44px]'

const columns: readonly { field: SortField; hidden: string }[] = [
  { field: 'name', hidden: '' },
  { field: 'date', hidden: 'hidden sm:block' },
  { field: 'size', hidden: 'hidden sm:block' },
  { field: 'type', hidden: 'hidden lg:block' },
  { field: 'location', hidden: 'hidden lg:block' },
]

interface Props {
  sort: SortField
  order: SortOrder
  onSort: (field: SortField) => void
  onTurn: () => void
}

export function ListHeader({ sort, order, onSort, onTurn }: Props) {
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
              onClick={() => (sort === field ? onTurn() : onSort(field))}
              className={`inline-flex min-h-touch items-center gap-1 rounded-control px-1 hover:text-ink ${sort === field ? 'font-semibold text-ink' : ''}`}
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
