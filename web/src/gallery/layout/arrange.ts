import type { View } from '../address.ts'
import type { ListIndex } from '../files/queries.ts'
import type { Day } from './days.ts'
import { Layout } from './layout.ts'
import { gridMeasures, listMeasures } from './measures.ts'

/** A list, laid out. */
export interface LaidOutList {
  /** The same for the same files in the same order, however they are shown. */
  listName: string
  layout: Layout
  days: readonly Day[]
  height: number
}

interface Room {
  view: View
  names: boolean
  width: number
  rem: number
}

/** Lays a list out in the room there is: by day where its order is by date. */
export function arrange(index: ListIndex, room: Room): LaidOutList {
  const layout = layoutOf(index, room)
  return { listName: JSON.stringify(index.list), layout, days: index.days, height: layout.height }
}

function layoutOf({ total, days }: ListIndex, { view, ...room }: Room): Layout {
  if (view === 'list') return Layout.flat(total, listMeasures(room.rem))
  const measures = gridMeasures(room)
  return days.length > 0 ? Layout.byDay(days, measures) : Layout.flat(total, measures)
}
