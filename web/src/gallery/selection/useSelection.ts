import { useRef, useState } from 'react'
import { toast } from 'sonner'
import { type MediaFile, mediaIds } from '#contract/media.ts'
import { call } from '../../kit/api.ts'
import { useLatest } from '../../ui/useLatest.ts'
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

/** The chosen files of one folder; another folder begins with none. */
export function useSelection(list: FileList): Selecting {
  const [held, setHeld] = useState<{ folder: number | undefined; selection: Selection }>({
    folder: list.folder_id,
    selection: nothing,
  })
  const selection = held.folder === list.folder_id ? held.selection : nothing
  const folderNow = useLatest(list.folder_id)
  const cleared = useRef(0)

  function change(next: (selection: Selection) => Selection) {
    // An answer that comes late must not undo what is chosen in another folder by now.
    if (folderNow.current !== list.folder_id) return
    setHeld(now => ({
      folder: list.folder_id,
      selection: next(now.folder === list.folder_id ? now.selection : nothing),
    }))
  }

  /** The ids that a question brings; none where the person has given the choice up meanwhile. */
  async function ask(query: IdsQuery): Promise<number[]> {
    const before = cleared.current
    const ids = await fetchIds(query)
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
  try {
    return (await call(mediaIds, { query })).ids
  } catch (error) {
    toast.error(texts.choosingFailed, error instanceof Error ? { description: error.message } : {})
    return []
  }
}
