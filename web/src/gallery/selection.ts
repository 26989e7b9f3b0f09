import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { GridFile } from '#contract/grid.ts'
import { idsInQuery } from '#contract/limits.ts'
import { isSamePlace } from '#contract/media-filter.ts'
import { mediaIds } from '#contract/media-list.ts'
import { showFailure } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { useLatest } from '../ui/hooks.ts'
import type { ListQuery } from './gallery-address.ts'
import type { DateScope } from './layout/days.ts'
import { texts } from './texts.ts'

export interface SelectionState {
  ids: ReadonlySet<number>
  /** Whether a click selects instead of opening. */
  on: boolean
  /** The last file toggled, where the next range starts. */
  anchor: Anchor | null
  toggle: (file: Anchor) => void
  /** Toggles all files between the anchor and this one. */
  toggleRange: (to: Anchor, fileAt: (index: number) => GridFile | undefined) => Promise<void>
  /** Toggles a file, and then all files up to another one as it was toggled. */
  sweep: (from: Anchor) => Sweep
  toggleDates: (scope: DateScope) => Promise<void>
  selectAll: () => Promise<void>
  deselect: (ids: Iterable<number>) => void
  clear: () => void
}

/** A range whose end moves: what it leaves is again as it was before. */
export interface Sweep {
  to: (to: Anchor, fileAt: FileAt) => void
  /** Also toggles files of the range that are not loaded. */
  end: (to: Anchor, fileAt: FileAt) => Promise<void>
}

type FileAt = (index: number) => { id: number } | undefined

/**
 * The selection in the current list. It is cleared when another folder, album, part of the map or the favourites are shown. Another search
 * or filter keeps what it lists, too: files that leave the list are deselected, because a bulk action must never affect a
 * file that is not listed.
 */
export function useSelection(list: ListQuery, listReadAt: number, alwaysOn = false): SelectionState {
  const filter = filterOf(list)
  const [current, setCurrent] = useState<ListSelection>({ filter, list, selection: emptySelection, unchecked: noIds })
  if (current.filter !== filter) setCurrent(selectionFor(current, filter, list))
  const selection = current.filter === filter ? current.selection : emptySelection
  const filterNow = useLatest(filter)
  const cleared = useRef(0)

  function change(next: (selection: SelectedFiles) => SelectedFiles) {
    // A late response must not change the selection of another list.
    if (filterNow.current !== filter) return
    setCurrent(now => (now.filter === filter ? { ...now, selection: next(now.selection) } : now))
  }

  const keepListed = useEffectEvent(async () => {
    const { unchecked } = current
    if (unchecked.size === 0) return
    const before = cleared.current
    const listed = await fetchListed(list, unchecked).catch(() => [])
    if (filterNow.current !== filter) return
    const kept = cleared.current === before ? listed.filter(id => unchecked.has(id)) : []
    setCurrent(now =>
      now.filter === filter ? { ...now, selection: withAll(now.selection, kept, true), unchecked: noIds } : now,
    )
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the filter
  useEffect(() => void keepListed(), [filter])

  const readAllAt = useRef(0)
  const dropMissing = useEffectEvent(async () => {
    const { ids } = selection
    if (ids.size === 0) return
    if (ids.size > idsInQuery) readAllAt.current = Date.now()
    const listed = new Set(await fetchListed(list, ids).catch(() => ids))
    const missing = [...ids].filter(id => !listed.has(id))
    if (missing.length > 0) change(now => withAll(now, missing, false))
  })
  const untilNextCheck = useEffectEvent(() => {
    const isSmall = selection.ids.size <= idsInQuery
    return isSmall ? 0 : Math.max(0, readAllAt.current + READ_ALL_INTERVAL - Date.now())
  })
  useEffect(() => {
    if (listReadAt === 0) return
    const timer = setTimeout(() => void dropMissing(), untilNextCheck())
    return () => clearTimeout(timer)
  }, [listReadAt])

  /** Fetches ids; empty if the selection was cleared in the meantime. */
  async function ask(query: IdsQuery): Promise<number[]> {
    const before = cleared.current
    const ids = await fetchIds(query).catch(explainFailure)
    readAllAt.current = Date.now()
    return cleared.current === before ? ids : []
  }

  async function toggleRange(to: Anchor, fileAt: (index: number) => GridFile | undefined) {
    const { anchor } = selection
    if (anchor === null) return change(now => toggled(now, to))
    const ids = knownBetween(anchor, to, fileAt) ?? (await askBetween(anchor, to))
    if (ids.length > 0) change(now => withAll(now, ids, !now.ids.has(to.id), to))
  }

  function askBetween(a: Anchor, b: Anchor): Promise<number[]> {
    const [first, last] = a.index <= b.index ? [a.id, b.id] : [b.id, a.id]
    return ask({ ...list, first, last })
  }

  function sweep(from: Anchor): Sweep {
    const before = selection
    const chosen = !before.ids.has(from.id)
    change(() => toggled(before, from))
    return {
      to: (to, fileAt) => change(() => withAll(before, loadedBetween(from.index, to.index, fileAt), chosen, from)),
      end: async (to, fileAt) => {
        // Some may have been loaded since the finger passed them.
        const ids = knownBetween(from, to, fileAt) ?? (await askBetween(from, to))
        if (ids.length > 0) change(now => withAll(now, ids, chosen, from))
      },
    }
  }

  async function toggleDates(scope: DateScope) {
    const ids = await ask({ ...list, ...scope })
    if (ids.length > 0) change(now => withAll(now, ids, !ids.every(id => now.ids.has(id)), null))
  }

  async function selectAll() {
    const ids = await ask(list)
    if (ids.length > 0) change(now => withAll(now, ids, true))
  }

  return {
    ids: selection.ids,
    on: alwaysOn || selection.ids.size > 0,
    anchor: selection.anchor,
    toggle: file => change(now => toggled(now, file)),
    toggleRange,
    sweep,
    toggleDates,
    selectAll,
    // Also after another search: these files are not to be selected in any list.
    deselect: ids => {
      const gone = new Set(ids)
      const left = (unchecked: ReadonlySet<number>) => new Set([...unchecked].filter(id => !gone.has(id)))
      setCurrent(now => ({
        ...now,
        selection: withAll(now.selection, [...gone], false),
        unchecked: left(now.unchecked),
      }))
    },
    clear: () => {
      cleared.current += 1
      setCurrent(now => ({ ...now, selection: emptySelection, unchecked: noIds }))
    },
  }
}

/**
 * Every change of the library may remove files from the list. Finding those of a large selection takes the ids of the whole
 * list, 700 KB for 100,000 files, so that is done at most this often, in milliseconds.
 */
const READ_ALL_INTERVAL = 30_000

type IdsQuery = ListQuery & {
  first?: number
  last?: number
  from?: string
  to?: string
  heading?: string
  ids?: string
}

async function fetchIds(query: IdsQuery): Promise<number[]> {
  return (await call(mediaIds, { query })).ids
}

/** Which of these files the list has; of many, all that it has. */
async function fetchListed(list: ListQuery, ids: ReadonlySet<number>): Promise<number[]> {
  return fetchIds(ids.size > idsInQuery ? list : { ...list, ids: [...ids].join(',') })
}

function explainFailure(error: unknown): number[] {
  showFailure(texts.choosingFailed, error)
  return []
}

/** The selection in one list. */
interface ListSelection {
  filter: string
  list: ListQuery
  selection: SelectedFiles
  /** What was selected with the filter before, until it is known which of it this one lists. */
  unchecked: ReadonlySet<number>
}

const noIds: ReadonlySet<number> = new Set()

/** When another list is shown. */
function selectionFor(before: ListSelection, filter: string, list: ListQuery): ListSelection {
  const unchecked = isSamePlace(before.list, list) ? new Set([...before.selection.ids, ...before.unchecked]) : noIds
  return { filter, list, selection: emptySelection, unchecked }
}

/** The filter of a list without its order. */
function filterOf({ sort: _sort, order: _order, ...filter }: ListQuery): string {
  return JSON.stringify(filter)
}

/** The selected files and the start of the next range. */
export interface SelectedFiles {
  ids: ReadonlySet<number>
  anchor: Anchor | null
}

export interface Anchor {
  id: number
  /** Its index when it was selected. */
  index: number
}

export const emptySelection: SelectedFiles = { ids: new Set(), anchor: null }

export function toggled(selection: SelectedFiles, file: Anchor): SelectedFiles {
  return withAll(selection, [file.id], !selection.ids.has(file.id), file)
}

/** Selects or deselects several files and sets the anchor. */
export function withAll(
  selection: SelectedFiles,
  ids: readonly number[],
  chosen: boolean,
  anchor: Anchor | null = selection.anchor,
): SelectedFiles {
  const next = new Set(selection.ids)
  for (const id of ids) {
    if (chosen) next.add(id)
    else next.delete(id)
  }
  return next.size === 0 ? emptySelection : { ids: next, anchor }
}

/** The ids between two indexes, or undefined if some are not loaded. */
export function idsBetween(a: number, b: number, fileAt: FileAt): number[] | undefined {
  const ids = loadedBetween(a, b, fileAt)
  return ids.length === Math.abs(a - b) + 1 ? ids : undefined
}

/** The same, undefined also if the list has changed since the first was selected. */
function knownBetween(a: Anchor, b: Anchor, fileAt: FileAt): number[] | undefined {
  return fileAt(a.index)?.id === a.id ? idsBetween(a.index, b.index, fileAt) : undefined
}

function loadedBetween(a: number, b: number, fileAt: FileAt): number[] {
  const ids: number[] = []
  for (let index = Math.min(a, b); index <= Math.max(a, b); index++) {
    const file = fileAt(index)
    if (file !== undefined) ids.push(file.id)
  }
  return ids
}

/** Ctrl+A or Cmd+A selects all and Escape clears, except in text fields, dialogs and menus. */
export function useGalleryKeys({ selectAll, clear }: Pick<SelectionState, 'selectAll' | 'clear'>): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event.target)) return
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      void selectAll()
    }
    // Also without a selection, to cancel a pending select all.
    if (event.key === 'Escape') clear()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether keys belong to a text field, dialog or menu. */
export function isElsewhere(target: EventTarget | null): boolean {
  const place =
    'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
  return target instanceof Element && target.closest(place) !== null
}
