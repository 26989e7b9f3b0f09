import type { MediaFile } from '#contract/media.ts'
import { dateInWords } from './date-words.ts'

/** When and where it was taken, as in "Sunday, 3 May 2020 · Lisbon, Portugal"; empty if neither is known. */
export function photoInWords({ edtf, location }: Pick<MediaFile, 'edtf' | 'location'>, language?: string): string {
  const place = location?.split(', ').slice(0, 2).join(', ')
  return [edtf === null ? undefined : dateInWords(edtf, 'long', language), place].filter(Boolean).join(' · ')
}
