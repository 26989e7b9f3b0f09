import { CirclePlay, Play, TriangleAlert } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { GridFile } from '#contract/grid.ts'
import { heartLabel } from '../../hearts/counts-in-words.ts'
import { HeartButton } from '../../hearts/HeartButton.tsx'
import { useCan } from '../../kit/me.tsx'
import { formatDuration } from '../../media/format.ts'
import { reasonInWords } from '../../media/reason-in-words.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { Thumbnail } from '../Thumbnail.tsx'
import { texts } from '../texts.ts'
import { accessibleName, damageOf, fileFacts, preparingText } from './file-description.ts'
import { type ChangeRenaming, RenameField, type Renaming } from './RenameField.tsx'

export interface CellProps {
  /** Undefined until its page is loaded. */
  file: GridFile | undefined
  index: number
  total: number
  column: number
  selected: boolean
  /** Whether it is in the tab order. */
  current: boolean
  /** Undefined unless it is being renamed. */
  renaming: Renaming | undefined
  onRenaming: ChangeRenaming
}

interface Props extends CellProps {
  /** Of the photo. */
  width: number
  height: number
  names: boolean
  /** Whether its caption is shown below it. */
  captions: boolean
}

/** Narrower tiles have no room for two controls side by side; the menu is on the keyboard and in the bar of selected files. */
const MIN_WIDTH_WITH_MENU = 92
/** The heart is below the check mark, so a narrow tile has one if it is high enough. */
const MIN_WIDTH_WITH_HEART = 48
const MIN_HEIGHT_WITH_HEART = 92
/** Smaller tiles show why a file failed in their accessible name only. */
const MIN_SIZE_WITH_TEXT = 140

/** One file of the grid. The grid handles its events, by its index. */
export const Tile = memo(function Tile(props: Props) {
  const { file, index, column, width, height, names, captions, current } = props
  const mayHeart = useCan('media.heart')
  if (file === undefined) {
    return (
      <td
        role="gridcell"
        aria-colindex={column + 1}
        aria-busy="true"
        data-index={index}
        tabIndex={current ? 0 : -1}
        className="shrink-0"
        style={{ width }}
      >
        <div className="rounded-photo bg-sunken" style={{ height }} />
      </td>
    )
  }
  const { selected, total, renaming, onRenaming } = props
  const damage = damageOf(file)
  const hasMenu = width >= MIN_WIDTH_WITH_MENU
  const hasHeart =
    mayHeart && file.status === 'ready' && width >= MIN_WIDTH_WITH_HEART && height >= MIN_HEIGHT_WITH_HEART
  return (
    <td
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={selected}
      aria-label={accessibleName(file, index, total, names ? 'facts' : 'nothing')}
      data-index={index}
      tabIndex={current ? 0 : -1}
      draggable
      className="tile group/tile relative shrink-0 cursor-pointer select-none"
      style={{ width }}
    >
      <div className="relative" style={{ height }}>
        <Thumbnail key={file.thumbnail_url ?? file.id} file={file} width={width} height={height} />
        {!names && (hasMenu || !hasHeart) && (
          <HoverName name={file.caption ?? file.original_name} indented={hasHeart} />
        )}
        <SelectButton name={file.original_name} selected={selected} reachable={current} />
        {hasMenu && <MenuButton name={file.original_name} reachable={current} />}
        {hasHeart && (
          <HeartButton
            hearts={file.hearts}
            hearted={file.hearted}
            aria-label={heartLabel(file)}
            tabIndex={current ? 0 : -1}
            onPhoto
            className="tile-heart photo-heart"
          />
        )}
      </div>
      {names && !renaming && <NameAndFacts file={file} />}{' '}
      {captions && !names && file.caption !== undefined && <BookCaption caption={file.caption} />}
      {(file.file_type === 'video' || file.live || file.status !== 'ready' || damage !== null) && (
        <div className="pointer-events-none absolute inset-x-0 top-0" style={{ height }}>
          {file.file_type === 'video' && (
            <CornerBadge
              icon={<Play aria-hidden="true" className="size-3 fill-current" />}
              text={file.duration === undefined ? undefined : formatDuration(file.duration)}
              besideHeart={hasHeart}
            />
          )}
          {file.live && (
            <CornerBadge
              icon={<CirclePlay aria-hidden="true" className="size-3.5" />}
              text={texts.live}
              besideHeart={hasHeart}
            />
          )}
          {damage !== null && file.status === 'ready' && (
            <CornerBadge
              icon={<TriangleAlert aria-hidden="true" className="size-3.5 text-[oklch(0.85_0.15_85)]" />}
              text={width >= MIN_SIZE_WITH_TEXT ? damage : undefined}
              besideHeart={hasHeart}
              // Above the length of a video, which has the same corner.
              raised={file.file_type === 'video' || file.live === true}
            />
          )}
          <ProcessingBadge file={file} roomy={Math.min(width, height) >= MIN_SIZE_WITH_TEXT} />
        </div>
      )}
      {renaming !== undefined && (
        <div className={names ? 'pt-1' : 'absolute inset-x-1 bottom-1'}>
          <RenameField key={renaming.startedAt} file={file} renaming={renaming} onChange={onRenaming} />
        </div>
      )}
    </td>
  )
})

interface CornerBadgeProps {
  icon: ReactNode
  text: string | undefined
  besideHeart: boolean
  /** Whether another one is below. */
  raised?: boolean
}

/** The length of a video, or that a photo is a Live Photo or damaged. */
function CornerBadge({ icon, text, besideHeart, raised = false }: CornerBadgeProps) {
  const width = besideHeart ? 'max-w-[max(1.75rem,100%-3rem)]' : 'max-w-[calc(100%-0.75rem)]'
  return (
    // One line: on a narrow tile the text wraps below the icon and is hidden.
    <span
      className={`photo-text absolute top-auto right-1.5 flex h-[1.625em] ${raised ? 'bottom-[calc(1.625em+0.625rem)]' : 'bottom-1.5'} ${width} flex-wrap items-center justify-center gap-x-1 overflow-hidden rounded-full px-2 text-fine leading-[1.625em]`}
    >
      <span className="flex h-full items-center">{icon}</span>
      {text !== undefined && <span>{text}</span>}
    </span>
  )
}

/** The caption or name shown on hover and focus where names are hidden. */
function HoverName({ name, indented }: { name: string; indented: boolean }) {
  return (
    <span
      aria-hidden="true"
      dir="auto"
      className={`photo-text pointer-events-none absolute inset-x-0 bottom-0 truncate rounded-b-photo pt-1.5 pr-3 pb-2 text-small opacity-0 ${indented ? 'pl-11' : 'pl-3'} group-hover/tile:opacity-100 [@media(hover:hover)]:group-focus-visible/tile:opacity-100`}
    >
      {name}
    </span>
  )
}

function BookCaption({ caption }: { caption: string }) {
  return (
    <p aria-hidden="true" className="wrap-anywhere line-clamp-2 px-1.5 pt-1.5 text-small leading-snug" title={caption}>
      <bdi>{caption}</bdi>
    </p>
  )
}

function NameAndFacts({ file }: { file: GridFile }) {
  return (
    <div aria-hidden="true" className="px-1 pt-1 leading-snug">
      <p className="truncate text-small" title={file.original_name}>
        <bdi>{file.original_name}</bdi>
      </p>{' '}
      <p className="truncate text-fine text-ink-soft">{fileFacts(file)}</p>
    </div>
  )
}

/** Its ring and check mark are CSS, because every element in a tile costs rendering time. */
export function SelectButton({ name, selected, reachable }: { name: string; selected: boolean; reachable: boolean }) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      aria-label={texts.select({ name })}
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
      aria-label={texts.more({ name })}
      aria-haspopup="menu"
      data-part="menu"
      tabIndex={reachable ? 0 : -1}
      className="tile-control top-0 right-0 size-touch"
    />
  )
}

/** The progress or failure of the preparation. */
function ProcessingBadge({ file, roomy }: { file: GridFile; roomy: boolean }) {
  if (file.status === 'ready') return null
  if (file.status === 'processing') {
    return (
      <span className="photo-text absolute bottom-1.5 left-1.5 flex items-center gap-1.5 rounded-full px-2.5 py-1 text-fine">
        <Spinner size="small" />
        {roomy
          ? preparingText(file.progress)
          : file.progress !== undefined && texts.percent({ percent: file.progress })}
      </span>
    )
  }
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-1 overflow-hidden rounded-photo bg-sunken p-3 text-center text-fine text-ink-soft">
      <TriangleAlert aria-hidden="true" className="size-6 shrink-0 text-warn" />
      {roomy && <span className="font-semibold text-ink">{damageOf(file) ?? texts.couldNotPrepare}</span>}{' '}
      {roomy && file.failure_reason !== undefined && (
        <span className="line-clamp-3">{reasonInWords(file.failure_reason)}</span>
      )}
    </span>
  )
}
