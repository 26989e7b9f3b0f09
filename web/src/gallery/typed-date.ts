import { parseEdtf } from '#contract/edtf.ts'
import { readDate } from '../media/read-date.ts'
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
export function readTypedDate(text: string, reader: Parameters<typeof readDate>[1] = {}): TypedDate | null {
  const edtf = readDate(text, reader)
  const date = edtf === undefined ? undefined : parseEdtf(edtf)
  if (edtf === undefined || date === undefined || date.precision === 'unknown' || date.precision === 'time') return null
  // Who looks for "about 1950" looks where such photos are listed.
  if ('approximate' in date && date.approximate) return readTypedDate(edtf.replace('~', ''), reader)
  if (date.precision === 'year') return { field: 'year', value: date.year, label: edtf }
  return { field: 'date', value: edtf, label: formatFilterDate(edtf, reader.language) }
}
