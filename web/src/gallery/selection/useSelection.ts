import { useState } from 'react'
import { toast } from 'sonner'
import { type MediaFile, mediaIds } from '#contract/media.ts'
import { call } from '../../kit/api.ts'
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
  clear: () => void
}

/** The chosen files of one folder; another folder begins with none. */
export function useSelection(list: FileList): Selecting {
  const [held, setHeld] = useState<{ folder: number | undefined; selection: Selection }>({
    folder: list.folder_id,
    selection: nothing,
  })
  const selection = held.folder === list.folder_id ? held.selection : nothing

  function change(next: (selection: Selection) => Selection) {
    setHeld(now => ({
      folder: list.folder_id,
      selection: next(now.folder === list.folder_id ? now.selection : nothing),
    }))
  }

  async function toggleRange(to: Anchor, fileAt: (index: number) => MediaFile | undefined) {
    const { anchor } = selection
    if (anchor === null) return change(now => toggled(now, to))
    const stillThere = fileAt(anchor.index)?.id === anchor.id
    const known = stillThere ? idsBetween(anchor.index, to.index, fileAt) : undefined
    const [first, last] = anchor.index <= to.index ? [anchor.id, to.id] : [to.id, anchor.id]
    const ids = known ?? (await fetchIds({ ...list, first, last }))
    change(now => withAll(now, ids, !now.ids.has(to.id), to))
  }

  async function toggleDay(day: string) {
    const ids = await fetchIds({ ...list, from: day, to: day })
    change(now => withAll(now, ids, !ids.every(id => now.ids.has(id)), null))
  }

  async function selectAll() {
    const ids = await fetchIds(list)
    change(now => withAll(now, ids, true))
  }

  return {
    ids: selection.ids,
    on: selection.ids.size > 0,
    anchor: selection.anchor,
    toggle: file => change(now => toggled(now, file)),
    toggleRange,
    toggleDay,
    selectAll,
    clear: () => change(() => nothing),
  }
}

async function fetchIds(query: FileList & { first?: number; last?: number; from?: string; to?: string }) {
  try {
    return (await call(mediaIds, { query })).ids
  } catch (error) {
    toast.error(texts.choosingFailed, error instanceof Error ? { description: error.message } : {})
    return []
  }
}
