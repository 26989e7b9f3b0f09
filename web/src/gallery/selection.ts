import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { GridFile } from '#contract/grid.ts'
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
  toggleDates: (scopes: readonly DateScope[]) => Promise<void>
  selectAll: () => Promise<void>
  deselect: (ids: Iterable<number>) => void
  clear: () => void
}

/**
 * The selection in the current list. It is cleared when another folder, search or type is shown, and files that leave
 * the list are deselected: a bulk action must never affect a file that is not listed.
 */
export function useSelection(list: ListQuery, listReadAt: number, alwaysOn = false): SelectionState {
  const filter = filterOf(list)
  const [held, setHeld] = useState<{ filter: string; selection: SelectedFiles }>({ filter, selection: emptySelection })
  if (held.filter !== filter) setHeld({ filter, selection: emptySelection })
  const selection = held.filter === filter ? held.selection : emptySelection
  const filterNow = useLatest(filter)
  const cleared = useRef(0)

  function change(next: (selection: SelectedFiles) => SelectedFiles) {
    // A late response must not change the selection of another list.
    if (filterNow.current !== filter) return
    setHeld(now => (now.filter === filter ? { filter, selection: next(now.selection) } : now))
  }

  const dropMissing = useEffectEvent(async () => {
    const { ids } = selection
    if (ids.size === 0) return
    const listed = new Set(await fetchIds(list).catch(() => ids))
    const missing = [...ids].filter(id => !listed.has(id))
    if (missing.length > 0) change(now => withAll(now, missing, false))
  })
  useEffect(() => {
    if (listReadAt > 0) void dropMissing()
  }, [listReadAt])

  /** Fetches ids; empty if the selection was cleared in the meantime. */
  async function ask(query: IdsQuery): Promise<number[]> {
    const before = cleared.current
    const ids = await fetchIds(query).catch(explainFailure)
    return cleared.current === before ? ids : []
  }

  async function toggleRange(to: Anchor, fileAt: (index: number) => GridFile | undefined) {
    const { anchor } = selection
    if (anchor === null) return change(now => toggled(now, to))
    const stillThere = fileAt(anchor.index)?.id === anchor.id
    const known = stillThere ? idsBetween(anchor.index, to.index, fileAt) : undefined
    const [first, last] = anchor.index <= to.index ? [anchor.id, to.id] : [to.id, anchor.id]
    const ids = known ?? (await ask({ ...list, first, last }))
    if (ids.length > 0) change(now => withAll(now, ids, !now.ids.has(to.id), to))
  }

  async function toggleDates(scopes: readonly DateScope[]) {
    const ids = (await Promise.all(scopes.map(scope => ask({ ...list, ...scope })))).flat()
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
    toggleDates,
    selectAll,
    deselect: ids => change(now => withAll(now, [...ids], false)),
    clear: () => {
      cleared.current += 1
      change(() => emptySelection)
    },
  }
}

type IdsQuery = ListQuery & { first?: number; last?: number; from?: string; to?: string; heading?: string }

async function fetchIds(query: IdsQuery): Promise<number[]> {
  return (await call(mediaIds, { query })).ids
}

function explainFailure(error: unknown): number[] {
  showFailure(texts.choosingFailed, error)
  return []
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
export function idsBetween(
  a: number,
  b: number,
  fileAt: (index: number) => { id: number } | undefined,
): number[] | undefined {
  const ids: number[] = []
  for (let index = Math.min(a, b); index <= Math.max(a, b); index++) {
    const file = fileAt(index)
    if (file === undefined) return undefined
    ids.push(file.id)
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
