import type { Day } from './days.ts'
import type { Layout } from './layout.ts'

/** A list as it is laid out. */
export interface LaidOut {
  layout: Layout
  /** Empty where it is not grouped by day. */
  days: readonly Day[]
}

/**
 * Where to look after files came or went, or the columns changed, so that the same pictures stay on the screen: `held` if
 * somebody is at one, else those at its top. Files are found again by their day and their number in it: a change in one
 * day moves nothing in the others.
 */
export function samePlace(was: LaidOut, now: LaidOut, position: number, held?: number): number {
  if (was.layout.total === 0 || now.layout.total === 0) return position
  const index = held ?? was.layout.indexAt(position)
  const beyond = (position - was.layout.placeOf(index).top) / was.layout.measures.rowPitch
  const found = findAgain(was.days, now.days, index)
  const place = now.layout.placeOf(Math.min(found, now.layout.total - 1))
  return place.top + beyond * now.layout.measures.rowPitch
}

/** The new index of what stood at one: by its day and its number in it. */
export function findAgain(was: readonly Day[], now: readonly Day[], index: number): number {
  const held = dayAt(was, index)
  if (held === undefined || now.length === 0) return index
  const newestFirst = (was[0]?.day ?? '') >= (was.at(-1)?.day ?? '')
  let start = 0
  for (const { day, count } of now) {
    if (day === held.day) return start + Math.min(held.within, count - 1)
    const passed = newestFirst ? day < held.day : day > held.day
    if (passed) return start
    start += count
  }
  return start - 1
}

function dayAt(days: readonly Day[], index: number): { day: string; within: number } | undefined {
  let start = 0
  for (const { day, count } of days) {
    if (index < start + count) return { day, within: index - start }
    start += count
  }
  return undefined
}
