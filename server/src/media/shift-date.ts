import { type CalendarDate, type KnownDate, parseEdtf } from '#contract/edtf.ts'
import { MINUTE } from '../processing/dates/time-zones.ts'
import { wallClock } from './file-date.ts'

export interface Shift {
  months: number
  minutes: number
}

const MINUTES_PER_DAY = 24 * 60

/**
 * A date that is known less exactly is shifted by what it has: a month by months, a year by whole years. Undefined where
 * that is nothing.
 */
export function shifted(date: KnownDate, shift: Shift): KnownDate | undefined {
  switch (date.precision) {
    case 'unknown':
      return undefined
    case 'time': {
      const local = addMonths(Date.parse(`${date.local}Z`), shift.months) + shift.minutes * MINUTE
      return { ...date, local: wallClock(local) }
    }
    case 'interval': {
      const [from, to] = [date.from && shiftedCalendar(date.from, shift), date.to && shiftedCalendar(date.to, shift)]
      return from === undefined || to === undefined ? undefined : { ...date, from, to }
    }
    default:
      return shiftedCalendar(date, shift)
  }
}

function shiftedCalendar(date: CalendarDate, { months, minutes }: Shift): CalendarDate | undefined {
  const { year, month = 1 } = date
  if (date.precision === 'day') {
    if (months === 0 && minutes % MINUTES_PER_DAY !== 0) return undefined
    const days = Math.trunc(minutes / MINUTES_PER_DAY) * MINUTES_PER_DAY
    const moved = new Date(addMonths(new Date(0).setUTCFullYear(year, month - 1, date.day), months) + days * MINUTE)
    const day = parseEdtf(moved.toISOString().slice(0, 10))
    return day?.precision === 'day' ? { ...day, approximate: date.approximate } : undefined
  }
  // Of a decade: whole decades.
  const unit = { month: 1, season: 12, year: 12, decade: 120 }[date.precision]
  const by = Math.trunc(months / unit) * unit
  if (by === 0) return undefined
  if (date.precision !== 'month') return { ...date, year: year + by / 12 }
  const moved = new Date(addMonths(new Date(0).setUTCFullYear(year, month - 1, 1), by))
  return { ...date, year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1 }
}

/** A month later than 31 January is the last day of February. */
function addMonths(time: number, months: number): number {
  if (months === 0) return time
  const moved = new Date(time)
  const day = moved.getUTCDate()
  moved.setUTCMonth(moved.getUTCMonth() + months)
  // The day that the month lacks became one of the next month.
  if (moved.getUTCDate() !== day) moved.setUTCDate(0)
  return moved.getTime()
}
