import type { GridFile } from '#contract/grid.ts'
import { texts as heartTexts } from '../../hearts/texts.ts'
import { formatSize } from '../../kit/format.ts'
import { formatDuration } from '../../media/format.ts'
import { formatFullDay, formatShortDay } from '../format.ts'
import { texts } from '../texts.ts'

/**
 * The accessible name of a file: its name, day, kind, state and position. Visible text is first and verbatim, so that
 * speech control works.
 */
export function accessibleName(file: GridFile, index: number, total: number, written: 'nothing' | 'facts'): string {
  return [
    file.original_name,
    written === 'facts' ? fileFacts(file) : formatFullDay(file.edtf ?? file.day),
    file.duration !== null && formatDuration(file.duration),
    ...stateOf(file),
    kindOf(file),
    file.location,
    file.hearted && texts.favourites.heading,
    file.hearts > 0 && heartTexts.lovedByCount(file.hearts),
    texts.position(index, total),
  ]
    .filter(Boolean)
    .join(', ')
}

function stateOf({ status, progress, failure_reason }: GridFile): (string | null)[] {
  if (status === 'processing') return [texts.preparing(progress)]
  return status === 'failed' ? [texts.couldNotPrepare, failure_reason] : []
}

/** The day and the size, as in "14 Jun 2024, 2.4 MB". */
export function fileFacts(file: GridFile): string {
  return [formatShortDay(file.edtf ?? file.day), formatSize(file.file_size)].join(', ')
}

function kindOf({ file_type, live }: GridFile): string {
  return texts.kinds[live ? 'live' : file_type]
}

/** As in "Video, 0:42". */
export function fileKind(file: GridFile): string {
  const kind = kindOf(file)
  return file.duration === null ? kind : `${kind}, ${formatDuration(file.duration)}`
}
