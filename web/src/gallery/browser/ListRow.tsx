import { EllipsisVertical } from 'lucide-react'
import { memo } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { formatSize } from '../../kit/format.ts'
import { formatShortDay } from '../format.ts'
import { dayOf } from '../layout/days.ts'
import { Thumbnail } from '../Thumbnail.tsx'
import { texts } from '../texts.ts'
import { factsOf, kindOf, spokenName } from './describe.ts'
import { listColumns } from './ListHeader.tsx'
import { RenameField } from './RenameField.tsx'
import { type CellProps, CheckMark } from './Tile.tsx'

interface Props extends Omit<CellProps, 'column'> {
  row: number
  top: number
  height: number
}

const THUMBNAIL = 44

/** One file of the list. */
export const ListRow = memo(function ListRow(props: Props) {
  const { file, index, row, top, height, current } = props
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
  const { selected, total, renaming, onRenamed } = props
  return (
    <tr
      aria-rowindex={row}
      aria-selected={selected}
      aria-label={spokenName(file, index, total, 'facts')}
      data-index={index}
      tabIndex={current ? 0 : -1}
      draggable
      className={`tile group/tile absolute inset-x-0 cursor-pointer select-none border-line border-b ${listColumns} ${selected ? 'bg-accent-wash' : 'hover:bg-raised'}`}
      style={place}
    >
      <td className="relative h-touch">
        <CheckMark name={file.original_name} selected={selected} reachable={current} />
      </td>
      <td className="relative size-[44px]">
        <Thumbnail key={file.id} file={file} side={THUMBNAIL} />
      </td>
      <td className="min-w-0">
        {renaming ? <RenameField file={file} renaming={renaming} onDone={onRenamed} /> : <NameAndState file={file} />}
      </td>
      <Details file={file} />
      <td className="relative h-touch">
        <button
          type="button"
          aria-label={texts.more(file.original_name)}
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

function NameAndState({ file }: { file: MediaFile }) {
  return (
    <>
      <span className="block truncate" title={file.original_name}>
        <bdi>{file.original_name}</bdi>
      </span>
      <State file={file} />
    </>
  )
}

function State({ file }: { file: MediaFile }) {
  if (file.status === 'processing') {
    return <span className="block text-fine text-ink-soft">{texts.preparing(file.progress)}</span>
  }
  if (file.status === 'failed') {
    return (
      <span className="block truncate text-fine text-warn" title={file.failure_reason ?? undefined}>
        {file.failure_reason ?? texts.couldNotPrepare}
      </span>
    )
  }
  return <span className="block truncate text-fine text-ink-soft sm:hidden">{factsOf(file)}</span>
}

function Details({ file }: { file: MediaFile }) {
  return (
    <>
      <td className="hidden truncate text-ink-soft text-small sm:block">{formatShortDay(dayOf(file))}</td>
      <td className="hidden truncate text-ink-soft text-small sm:block">{formatSize(file.file_size)}</td>
      <td className="hidden truncate text-ink-soft text-small lg:block">{kindOf(file)}</td>
      <td className="hidden truncate text-ink-soft text-small lg:block" title={file.location ?? undefined}>
        {file.location}
      </td>
    </>
  )
}
