import type { MediaFile } from '#contract/media.ts'
import type { LaidOutList } from '../layout/arrange.ts'
import { findAgain } from '../layout/place.ts'

/** The file somebody is at: where it stands in which list, and which it is, once that is known. */
export interface Chosen {
  list: LaidOutList
  index: number
  id: number | undefined
}

/** As far as files slip within their day, or in an order without days. */
const NEARBY = 200

/** Where the chosen file stands now. Of another list nothing is chosen yet; one that is gone leaves its place to the next. */
export function follow(
  chosen: Chosen | null,
  list: LaidOutList,
  fileAt: (index: number) => MediaFile | undefined,
): Chosen | null {
  if (chosen === null || chosen.list.listName !== list.listName) return null
  const last = list.layout.total - 1
  const index =
    chosen.list === list ? chosen.index : Math.min(findAgain(chosen.list.days, list.days, chosen.index), last)
  const there = fileAt(index)?.id
  const moved = chosen.id !== undefined && there !== undefined && there !== chosen.id
  const found = moved ? nearest(index, last, at => fileAt(at)?.id === chosen.id) : undefined
  const now = { list, index: found ?? index, id: found === undefined ? (there ?? chosen.id) : chosen.id }
  const same = now.list === chosen.list && now.index === chosen.index && now.id === chosen.id
  return same ? chosen : now
}

function nearest(index: number, last: number, isIt: (index: number) => boolean): number | undefined {
  for (let away = 1; away <= NEARBY; away++) {
    const found = [index - away, index + away].find(at => at >= 0 && at <= last && isIt(at))
    if (found !== undefined) return found
  }
  return undefined
}
