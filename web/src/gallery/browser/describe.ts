import type { MediaFile } from '#contract/media.ts'
import { formatSize } from '../../kit/format.ts'
import { formatDuration, formatFullDay, formatShortDay } from '../format.ts'
import { dayOf } from '../layout/days.ts'
import { texts } from '../texts.ts'

/**
 * What a screen reader says of a file: its name, day, kind, state and place. Whatever is written on the file's cell is
 * said in those very words and in that order, since who speaks to their computer calls things by what they read.
 */
export function spokenName(file: MediaFile, index: number, total: number, written: 'nothing' | 'facts'): string {
  return [
    file.original_name,
    written === 'facts' ? factsOf(file) : formatFullDay(dayOf(file)),
    file.duration !== null && formatDuration(file.duration),
    ...stateOf(file),
    texts.kinds[file.file_type],
    file.location,
    texts.position(index, total),
  ]
    .filter(Boolean)
    .join(', ')
}

/** How far a file is prepared, or why it could not be; nothing for one that is ready. */
function stateOf({ status, progress, failure_reason }: MediaFile): (string | null)[] {
  if (status === 'processing') return [texts.preparing(progress)]
  return status === 'failed' ? [texts.couldNotPrepare, failure_reason] : []
}

/** The day and the size, as in "14 Jun 2024, 2.4 MB". */
export function factsOf(file: MediaFile): string {
  return [formatShortDay(dayOf(file)), formatSize(file.file_size)].join(', ')
}

/** As in "Video, 0:42". */
export function kindOf(file: MediaFile): string {
  const kind = texts.kinds[file.file_type]
  return file.duration === null ? kind : `${kind}, ${formatDuration(file.duration)}`
}
