import { Play } from 'lucide-react'
import { memo } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { formatDuration } from '../format.ts'
import { Thumbnail } from '../Thumbnail.tsx'
import { texts } from '../texts.ts'
import { factsOf, spokenName } from './describe.ts'
import { PreparationSign } from './PreparationSign.tsx'
import { RenameField, type Renaming } from './RenameField.tsx'

export interface CellProps {
  /** Undefined until its page has come. */
  file: MediaFile | undefined
  index: number
  total: number
  column: number
  selected: boolean
  /** The one that Tab reaches. */
  current: boolean
  /** Undefined where the name is not being changed. */
  renaming: Renaming | undefined
  onRenamed: (renaming: Renaming) => void
}

interface Props extends CellProps {
  side: number
  names: boolean
}

/** One file of the grid. What is pressed in it is heard by the grid, which knows it by its index. */
export const Tile = memo(function Tile(props: Props) {
  const { file, index, column, side, names, current } = props
  if (file === undefined) {
    return (
      <td role="gridcell" aria-colindex={column + 1} aria-busy="true" data-index={index} tabIndex={current ? 0 : -1}>
        <div className="rounded-card bg-sunken" style={{ height: side }} />
      </td>
    )
  }
  const { selected, total, renaming, onRenamed } = props
  return (
    <td
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={selected}
      aria-label={spokenName(file, index, total, names ? 'facts' : 'nothing')}
      data-index={index}
      tabIndex={current ? 0 : -1}
      draggable
      className="tile group/tile relative min-w-0 cursor-pointer select-none"
    >
      <div className="relative" style={{ height: side }}>
        <Thumbnail key={file.id} file={file} side={side} />
        {!names && <NameOver name={file.original_name} />}
        <CheckMark name={file.original_name} selected={selected} reachable={current} />
        <MenuButton name={file.original_name} reachable={current} />
      </div>
      {names && !renaming && <Caption file={file} />}{' '}
      {(file.file_type === 'video' || file.status !== 'ready') && (
        <div className="pointer-events-none absolute inset-x-0 top-0" style={{ height: side }}>
          {file.file_type === 'video' && <VideoSign seconds={file.duration} />}
          <PreparationSign file={file} />
        </div>
      )}
      {renaming !== undefined && (
        <div className={names ? 'pt-1' : 'absolute inset-x-1 bottom-1'}>
          <RenameField file={file} renaming={renaming} onDone={onRenamed} />
        </div>
      )}
    </td>
  )
})

function VideoSign({ seconds }: { seconds: number | null }) {
  return (
    <span className="photo-text absolute top-auto right-1.5 bottom-1.5 flex items-center gap-1 rounded-full px-2 py-0.5 text-fine">
      <Play aria-hidden="true" className="size-3 fill-current" />
      {seconds !== null && formatDuration(seconds)}
    </span>
  )
}

/** Where no names are shown, the one under the pointer or the focus is. */
function NameOver({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      dir="auto"
      className="photo-text pointer-events-none absolute inset-x-0 bottom-0 truncate rounded-b-card px-3 pt-1.5 pb-2 text-small opacity-0 group-hover/tile:opacity-100 group-focus-visible/tile:opacity-100"
    >
      {name}
    </span>
  )
}

function Caption({ file }: { file: MediaFile }) {
  return (
    <div aria-hidden="true" className="px-1 pt-1 leading-snug">
      <p className="truncate text-small" title={file.original_name}>
        <bdi>{file.original_name}</bdi>
      </p>{' '}
      <p className="truncate text-fine text-ink-soft">{factsOf(file)}</p>
    </div>
  )
}

/** Its ring and its mark are drawn by the style sheet: a screen is full of these, and each element of one takes time. */
export function CheckMark({ name, selected, reachable }: { name: string; selected: boolean; reachable: boolean }) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      aria-label={texts.select(name)}
      data-part="check"
      tabIndex={reachable ? 0 : -1}
      className="tile-control top-0 left-0 size-touch"
    />
  )
}

function MenuButton({ name, reachable }: { name: string; reachable: boolean }) {
  return (
    <button
      type="button"
      aria-label={texts.more(name)}
      aria-haspopup="menu"
      data-part="menu"
      tabIndex={reachable ? 0 : -1}
      className="tile-control top-0 right-0 size-touch"
    />
  )
}
