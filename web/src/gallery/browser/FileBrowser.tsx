import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useMemo, useRef } from 'react'
import type { SortField } from '#contract/media.ts'
import { Button } from '../../ui/Button.tsx'
import type { View } from '../address.ts'
import { pagesOf } from '../files/pages.ts'
import type { ListIndex } from '../files/queries.ts'
import { type Files, useFiles } from '../files/useFiles.ts'
import { arrange, type LaidOutList } from '../layout/arrange.ts'
import type { Layout } from '../layout/layout.ts'
import { likelyWidth } from '../layout/likely.ts'
import { marksOf } from '../layout/marks.ts'
import { scrubs } from '../layout/measures.ts'
import type { ScrollWindow } from '../layout/useScrollWindow.ts'
import { useWidth } from '../layout/useWidth.ts'
import type { Anchor } from '../selection/selection.ts'
import type { Selecting } from '../selection/useSelection.ts'
import { texts } from '../texts.ts'
import { ListHeader } from './ListHeader.tsx'
import type { Renaming } from './RenameField.tsx'
import { Rows } from './Rows.tsx'
import { Scrubber } from './Scrubber.tsx'
import { type CellActions, useCellEvents } from './useCellEvents.ts'
import { type Focused, type Insets, useCurrentCell } from './useCurrentCell.ts'
import { usePlacedWindow } from './usePlacedWindow.ts'

export interface BrowserHandle {
  /** Brings a file into sight and gives it the focus. */
  focus: (index: number) => void
}

interface Props {
  ref?: Ref<BrowserHandle>
  index: ListIndex
  indexReadAt: number
  /** False while the list that the address asks for is still on its way, and another is shown. */
  settled: boolean
  view: View
  names: boolean
  selecting: Selecting
  actions: CellActions
  /** The file whose name is being written anew. */
  renaming: Renaming | null
  onRenamed: (renaming: Renaming) => void
  onSort: (field: SortField) => void
  onTurn: () => void
  /** How much of the screen is taken by what stays at its top and bottom. */
  insets: () => Insets
}

/** The files, as a grid or as a list, of any number: only what is on the screen is drawn and fetched. */
export function FileBrowser(props: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const scrubber = props.view === 'grid' && scrubs(props.index)
  const { width, rem } = useWidth(holder, () => likelyWidth(props.index.total, scrubber))
  return (
    <div className={`relative ${scrubber ? 'md:pr-16' : ''}`}>
      <div ref={holder}>{width > 0 && <SizedBrowser {...props} width={width} rem={rem} scrubber={scrubber} />}</div>
    </div>
  )
}

/** Rows outside the screen that are drawn all the same, so that a turn of the wheel finds them ready. */
const OVERSCAN = 320
/** Screens around it for which files are fetched. */
const AHEAD = 1.25

function SizedBrowser(props: Props & { width: number; rem: number; scrubber: boolean }) {
  const { index, view, names, width, rem, selecting, actions, insets } = props
  const holder = useRef<HTMLTableSectionElement>(null)
  const laid = useMemo(() => arrange(index, { view, names, width, rem }), [index, view, names, width, rem])
  const { layout } = laid
  const focused = useRef<Focused>(null)
  const seen = usePlacedWindow(holder, laid, { settled: props.settled, insets, focused })
  const files = useFilesAround(props, layout, seen)
  const cell = useCurrentCell(holder, laid, seen, { fileAt: files.fileAt, insets, focused })
  const { focus, setCurrent } = cell
  useImperativeHandle(props.ref, () => ({ focus }), [focus])
  useRaised(selecting.anchor, layout.total, cell.raise)
  const events = useCellEvents({ layout, fileAt: files.fileAt, selecting, actions, focus, setCurrent })
  return (
    <>
      <table
        role="grid"
        aria-label={texts.grid}
        aria-multiselectable="true"
        aria-rowcount={layout.rowCount + (view === 'list' ? 1 : 0)}
        aria-colcount={view === 'list' ? undefined : layout.measures.columns}
        data-selecting={selecting.on || undefined}
        data-names={names || undefined}
        className="files block"
        {...events}
        onFocus={event => {
          cell.setHasFocus(true)
          events.onFocus(event)
        }}
        onBlur={() => cell.setHasFocus(false)}
      >
        {view === 'list' && <ListHeader {...index.list} onSort={props.onSort} onTurn={props.onTurn} />}
        <tbody ref={holder} className="relative block" style={{ height: seen.height }}>
          <Rows
            layout={layout}
            view={view}
            names={names}
            width={width}
            top={seen.top - OVERSCAN}
            bottom={seen.bottom + OVERSCAN}
            shift={seen.shift}
            fileAt={files.fileAt}
            selected={selecting.ids}
            current={cell.current}
            keepCurrent={cell.hasFocus}
            renaming={props.renaming}
            onRenamed={props.onRenamed}
            onToggleDay={day => void selecting.toggleDay(day)}
          />
        </tbody>
      </table>
      {props.scrubber && <DayScrubber list={laid} seen={seen} insets={insets} />}
      {files.error !== null && <SomeMissing files={files} />}
    </>
  )
}

/** The bar that comes up with a selection must not hide the file that brought it. */
function useRaised(chosen: Anchor | null, total: number, raise: (index: number) => void): void {
  const bringUp = useEffectEvent((index: number) => {
    if (index < total) raise(index)
  })
  useEffect(() => {
    if (chosen !== null) bringUp(chosen.index)
  }, [chosen])
}

function useFilesAround({ index, indexReadAt }: Props, layout: Layout, { top, bottom, rushing }: ScrollWindow): Files {
  const pages = pagesOf(index)
  const around = AHEAD * (bottom - top)
  return useFiles({
    list: index.list,
    pages,
    indexReadAt,
    first: layout.indexAt(top - around),
    last: layout.lastIndexAt(bottom + around),
    fetching: !rushing,
  })
}

function DayScrubber({ list, seen, insets }: { list: LaidOutList; seen: ScrollWindow; insets: () => Insets }) {
  const { days, layout } = list
  const marks = useMemo(() => marksOf(days, layout), [days, layout])
  if (marks.length < 3) return null
  return <Scrubber marks={marks} length={layout.height} seen={seen} topInset={() => insets().top} />
}

/** Parts of the list that did not come stay as empty places; this says so, wherever one is in it. */
function SomeMissing({ files }: { files: Files }) {
  return (
    <div
      role="alert"
      className="fixed inset-x-0 bottom-4 z-10 mx-auto flex w-fit items-center gap-3 rounded-card border border-line bg-raised py-1 pr-1 pl-4 shadow-high"
    >
      {texts.someMissing}
      <Button onClick={files.retry}>{texts.failed.retry}</Button>
    </div>
  )
}
