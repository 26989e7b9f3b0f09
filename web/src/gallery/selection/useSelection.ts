import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toast } from 'sonner'
import { type MediaFile, mediaIds } from '#contract/media.ts'
import { call } from '../../kit/api.ts'
import { useLatest } from '../../ui/hooks.ts'
import type { FileList } from '../address.ts'
import { texts } from '../texts.ts'
import { type Anchor, idsBetween, nothing, type Selection, toggled, withAll } from './selection.ts'

export interface Selecting {
  ids: ReadonlySet<number>
  /** Whether anything is selected. */
  on: boolean
  /** The file that was chosen or left out last, and where the next range begins. */
  anchor: Anchor | null
  toggle: (file: Anchor) => void
  /** Everything between the last file that was chosen and this one becomes what this one becomes. */
  toggleRange: (to: Anchor, fileAt: (index: number) => MediaFile | undefined) => Promise<void>
  toggleDay: (day: string) => Promise<void>
  selectAll: () => Promise<void>
  /** These are chosen no longer. */
  leaveOut: (ids: Iterable<number>) => void
  clear: () => void
}

/**
 * The selected files of the list that is shown. It resets when another folder, search or type is shown, and drops files
 * that leave the list: a bulk action must never reach a file that nobody sees.
 */
export function useSelection(list: FileList, listReadAt: number): Selecting {
  const filter = filterOf(list)
  const [held, setHeld] = useState<{ filter: string; selection: Selection }>({ filter, selection: nothing })
  if (held.filter !== filter) setHeld({ filter, selection: nothing })
  const selection = held.filter === filter ? held.selection : nothing
  const filterNow = useLatest(filter)
  const cleared = useRef(0)

  function change(next: (selection: Selection) => Selection) {
    // A late answer must not change what is selected in another list by now.
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

  /** The ids that a question brings; none where the person has given the choice up meanwhile. */
  async function ask(query: IdsQuery): Promise<number[]> {
    const before = cleared.current
    const ids = await fetchIds(query).catch(explainFailure)
    return cleared.current === before ? ids : []
  }

  async function toggleRange(to: Anchor, fileAt: (index: number) => MediaFile | undefined) {
    const { anchor } = selection
    if (anchor === null) return change(now => toggled(now, to))
    const stillThere = fileAt(anchor.index)?.id === anchor.id
    const known = stillThere ? idsBetween(anchor.index, to.index, fileAt) : undefined
    const [first, last] = anchor.index <= to.index ? [anchor.id, to.id] : [to.id, anchor.id]
    const ids = known ?? (await ask({ ...list, first, last }))
    if (ids.length > 0) change(now => withAll(now, ids, !now.ids.has(to.id), to))
  }

  async function toggleDay(day: string) {
    const ids = await ask({ ...list, from: day, to: day })
    if (ids.length > 0) change(now => withAll(now, ids, !ids.every(id => now.ids.has(id)), null))
  }

  async function selectAll() {
    const ids = await ask(list)
    if (ids.length > 0) change(now => withAll(now, ids, true))
  }

  return {
    ids: selection.ids,
    on: selection.ids.size > 0,
    anchor: selection.anchor,
    toggle: file => change(now => toggled(now, file)),
    toggleRange,
    toggleDay,
    selectAll,
    leaveOut: ids => change(now => withAll(now, [...ids], false)),
    clear: () => {
      cleared.current += 1
      change(() => nothing)
    },
  }
}

type IdsQuery = FileList & { first?: number; last?: number; from?: string; to?: string }

async function fetchIds(query: IdsQuery): Promise<number[]> {
  return (await call(mediaIds, { query })).ids
}

function explainFailure(error: unknown): number[] {
  toast.error(texts.choosingFailed, error instanceof Error ? { description: error.message } : {})
  return []
}

/** What decides which files are listed; their order does not. */
function filterOf({ folder_id, search, type }: FileList): string {
  return JSON.stringify([folder_id, search, type])
}
