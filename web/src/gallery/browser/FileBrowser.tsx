import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useMemo, useRef } from 'react'
import type { SortField } from '#contract/media-list.ts'
import { Button } from '../../ui/Button.tsx'
import { type Files, useFiles } from '../files/files.ts'
import { pagesOf } from '../files/pages.ts'
import type { ListTimeline } from '../files/queries.ts'
import type { Layout } from '../layout/layout.ts'
import {
  createListLayout,
  type DensitySteps,
  densityStepsFrom,
  hasScrubber,
  isOverview,
  type LaidOutList,
  limitDensity,
  type View,
} from '../layout/list-layout.ts'
import { scrubberMonths } from '../layout/scrubber-months.ts'
import { useWidth, type Viewport } from '../layout/viewport.ts'
import type { Anchor, SelectionState } from '../selection.ts'
import { texts } from '../texts.ts'
import { useAnchoredViewport } from './anchored-viewport.ts'
import { type CellActions, useCellEvents } from './cell-events.ts'
import { type Focused, type Insets, useCurrentCell } from './current-cell.ts'
import { type ChangeDensity, useDensityGestures } from './density-gestures.ts'
import { ListHeader } from './ListRow.tsx'
import type { ChangeRenaming, Renaming } from './RenameField.tsx'
import { Rows } from './Rows.tsx'
import { Scrubber } from './Scrubber.tsx'

export interface BrowserHandle {
  /** Focuses a file, and scrolls to it unless it is mostly visible. */
  focus: (index: number) => void
  changeDensity: ChangeDensity
}

interface Props {
  ref?: Ref<BrowserHandle>
  timeline: ListTimeline
  timelineReadAt: number
  /** All files of the list, where they are known; by default they are fetched around the screen. */
  files?: Files | undefined
  /** False while the requested list loads and the previous one is shown. */
  settled: boolean
  view: View
  density: number
  onDensity: (density: number) => void
  onDensitySteps: (steps: DensitySteps) => void
  names: boolean
  /** Whether captions are shown below the photos in proportions. */
  captions?: boolean
  selection: SelectionState
  /** Files can only be opened: tiles have no controls. */
  readOnly?: boolean
  actions: CellActions
  /** The file being renamed. */
  renaming: Renaming | null
  onRenaming: ChangeRenaming
  /** Absent where the order is given. */
  onSort: ((field: SortField) => void) | undefined
  onReverse: () => void
  /** Heights covered by the sticky toolbar and the dock. */
  insets: () => Insets
}

/** For a list that is `readOnly`. */
export const noSelection: SelectionState = {
  ids: new Set(),
  on: false,
  anchor: null,
  toggle: () => {},
  toggleRange: async () => {},
  sweep: () => ({ to: () => {}, end: async () => {} }),
  toggleDates: async () => {},
  selectAll: async () => {},
  deselect: () => {},
  clear: () => {},
}

/** A virtualised grid or list: only the visible part is rendered and fetched. */
export function FileBrowser(props: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const scrubber = props.view !== 'list' && hasScrubber(props.timeline)
  const { width, rem } = useWidth(holder)
  return (
    // The lane at the right is for the scrubber and the chat button. It is always there, so that no filter moves a photo.
    <div className={`relative md:pr-16 ${props.view === 'list' ? 'sm:pr-16' : ''}`}>
      <div ref={holder}>{width > 0 && <SizedBrowser {...props} width={width} rem={rem} scrubber={scrubber} />}</div>
    </div>
  )
}

/** Pixels rendered beyond the screen, so that scrolling shows no gaps. */
const OVERSCAN = 320
/** Screens above and below for which files are prefetched. */
const AHEAD = 1.25
const AHEAD_IN_OVERVIEW = 0.25

function SizedBrowser(props: Props & { width: number; rem: number; scrubber: boolean }) {
  const {
    timeline,
    view,
    density,
    names,
    captions = false,
    width,
    rem,
    selection,
    readOnly = false,
    actions,
    insets,
  } = props
  const holder = useRef<HTMLTableSectionElement>(null)
  const laid = useMemo(
    () => createListLayout(timeline, { view, density, names, captions, width, rem }),
    [timeline, view, density, names, captions, width, rem],
  )
  const { layout } = laid
  const focused = useRef<Focused>(null)
  const [zoomedAt, zoomedTo] = [useRef<number>(null), useRef<number>(null)]
  const overview = isOverview({ view, density, width })
  useDensityGestures(holder, { on: view !== 'list', layout, change: changeDensity })
  const viewport = useAnchoredViewport(holder, laid, { settled: props.settled, insets, focused, zoomedAt, zoomedTo })
  const fetched = useFilesAround(props, layout, viewport, overview ? AHEAD_IN_OVERVIEW : AHEAD)
  const files = props.files ?? fetched
  const cell = useCurrentCell(holder, laid, viewport, { fileAt: files.fileAt, insets, focused })
  const { focus, setCurrent } = cell

  function changeDensity(steps: 1 | -1, clientY?: number): boolean {
    const next = limitDensity(limitDensity(density, { view, width }) + steps, { view, width })
    if (next === density) return false
    zoomedAt.current = clientY ?? null
    props.onDensity(next)
    return true
  }
  const { smaller, larger } = densityStepsFrom(density, { view, width })
  const { onDensitySteps } = props
  useEffect(() => onDensitySteps({ smaller, larger }), [onDensitySteps, smaller, larger])
  useImperativeHandle(props.ref, () => ({ focus: index => focus(index, { keepsScroll: true }), changeDensity }))
  useKeepAboveDock(selection.anchor, layout.total, cell.raise)
  /** From the overview a photo leads to its place in the list. */
  function zoomTo(index: number) {
    zoomedTo.current = index
    props.onDensity(0)
  }
  const cellActions = overview
    ? actionsInOverview(actions, () => zoomTo(focused.current?.index ?? cell.current))
    : actions
  const events = useCellEvents({
    grid: holder,
    layout,
    fileAt: files.fileAt,
    selection,
    actions: cellActions,
    focus,
    setCurrent,
    insets,
  })
  return (
    <>
      <table
        role="grid"
        aria-label={texts.grid}
        aria-multiselectable={!readOnly}
        aria-rowcount={layout.rowCount + (view === 'list' ? 1 : 0)}
        aria-colcount={view === 'list' ? undefined : layout.columnCount}
        data-selecting={selection.on || undefined}
        data-names={names || undefined}
        data-read-only={readOnly || undefined}
        data-zooms={view !== 'list' || undefined}
        className="files block"
        {...events}
        onFocus={event => {
          cell.setHasFocus(true)
          events.onFocus(event)
        }}
        onBlur={() => cell.setHasFocus(false)}
      >
        {view === 'list' && <ListHeader {...timeline.list} onSort={props.onSort} onReverse={props.onReverse} />}
        <tbody ref={holder} className="relative block" style={{ height: viewport.height }}>
          <Rows
            layout={layout}
            view={view}
            names={names}
            captions={captions && view === 'proportions'}
            rem={rem}
            top={viewport.top - OVERSCAN}
            bottom={viewport.bottom + OVERSCAN}
            shift={viewport.shift}
            fileAt={files.fileAt}
            selected={selection.ids}
            current={cell.current}
            keepCurrent={cell.hasFocus}
            renaming={props.renaming}
            onRenaming={props.onRenaming}
            onToggleDates={scope => void selection.toggleDates(scope)}
          />
        </tbody>
      </table>
      {props.scrubber && <DayScrubber list={laid} viewport={viewport} insets={insets} />}
      {files.error !== null && <SomeMissing files={files} />}
    </>
  )
}

/** Tiny photos are not changed, and lead to their place instead of the viewer. */
function actionsInOverview(actions: CellActions, open: () => void): CellActions {
  return { ...actions, open, prefetch: () => {}, heart: undefined, edit: undefined, reordering: undefined }
}

/** The dock that opens with a selection must not cover the selected file. */
function useKeepAboveDock(chosen: Anchor | null, total: number, raise: (index: number) => void): void {
  const bringUp = useEffectEvent((index: number) => {
    if (index < total) raise(index)
  })
  useEffect(() => {
    if (chosen !== null) bringUp(chosen.index)
  }, [chosen])
}

function useFilesAround(
  { timeline, timelineReadAt, files }: Props,
  layout: Layout,
  { top, bottom, scrollingFast }: Viewport,
  ahead: number,
): Files {
  const pages = files === undefined ? pagesOf(timeline) : []
  const around = ahead * (bottom - top)
  return useFiles({
    list: timeline.list,
    pages,
    timelineReadAt,
    first: layout.indexAt(top - around),
    last: layout.lastIndexAt(bottom + around),
    fetching: !scrollingFast,
  })
}

function DayScrubber({ list, viewport, insets }: { list: LaidOutList; viewport: Viewport; insets: () => Insets }) {
  const { days, layout } = list
  const months = useMemo(() => scrubberMonths(days, layout), [days, layout])
  if (months.length < 3) return null
  return <Scrubber months={months} length={layout.height} viewport={viewport} topInset={() => insets().top} />
}

/** Shown when some pages failed to load. */
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
