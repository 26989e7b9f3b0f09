import { filterOfDate, readDate } from '#contract/read-date.ts'
import { dateReader } from '../media/date-reader.ts'
import { formatFilterDate } from './format.ts'

export interface FilterChoice {
  value: string | number
  label: string
  /** How many files it matches, where that is known. */
  count?: number
}

interface TypedDate extends FilterChoice {
  field: 'year' | 'date'
}

/** What a text names: "May 2019", "12 Feb 2015", "2019", "yesterday", "the 60s", "summer 1974", "before 1939". */
export function readTypedDate(text: string, reader: Parameters<typeof readDate>[1] = dateReader): TypedDate | null {
  const edtf = readDate(text, reader)
  const filter = edtf === undefined ? undefined : filterOfDate(edtf)
  if (filter === undefined) return null
  const label = filter.field === 'year' ? String(filter.value) : formatFilterDate(filter.value, reader.language)
  return { ...filter, label }
}
