import type { MediaFile } from '#contract/media.ts'
import { formatFullDay } from '../format.ts'
import { texts } from '../texts.ts'

/** What a screen reader says of a file: name, kind, day, how far it is prepared, and its place. */
export function spokenName(file: MediaFile, index: number, total: number): string {
  return [
    file.original_name,
    texts.kinds[file.file_type],
    formatFullDay(dayOf(file)),
    ...(file.status === 'processing' ? [texts.preparing(file.progress)] : []),
    ...(file.status === 'failed' ? [texts.couldNotPrepare] : []),
    texts.position(index, total),
  ].join(', ')
}

export function dayOf({ date }: Pick<MediaFile, 'date'>): string {
  return date.slice(0, 10)
}
