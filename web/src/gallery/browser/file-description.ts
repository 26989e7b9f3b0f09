import type { GridFile } from '#contract/grid.ts'
import { texts as heartTexts } from '../../hearts/texts.ts'
import { formatSize } from '../../kit/format.ts'
import { formatDuration } from '../../media/format.ts'
import { reasonInWords } from '../../media/reason-in-words.ts'
import { texts as mediaTexts } from '../../media/texts.ts'
import { formatFullDay, formatShortDay } from '../format.ts'
import { texts } from '../texts.ts'

/**
 * The accessible name of a file: its caption or name, day, kind, state and position. Visible text is first and verbatim, so that
 * speech control works.
 */
export function accessibleName(file: GridFile, index: number, total: number, written: 'nothing' | 'facts'): string {
  return [
    ...(written === 'facts'
      ? [file.original_name, fileFacts(file), file.caption]
      : [file.caption, file.original_name, formatFullDay(file.edtf ?? file.day)]),
    file.duration !== undefined && formatDuration(file.duration),
    ...stateOf(file),
    kindOf(file),
    file.location,
    file.hearted && texts.favourites.heading,
    file.hearts > 0 && heartTexts.lovedByCount({ count: file.hearts }),
    texts.position({ position: index + 1, total }),
  ]
    .filter(Boolean)
    .join(', ')
}

function stateOf(file: GridFile): (string | null | undefined)[] {
  const { status, progress, failure_reason } = file
  if (status === 'processing') return [preparingText(progress), damageOf(file)]
  return status === 'failed'
    ? [texts.couldNotPrepare, failure_reason && reasonInWords(failure_reason), damageOf(file)]
    : [damageOf(file)]
}

export function preparingText(percent: number | undefined): string {
  return percent === undefined ? texts.preparing : texts.preparingPercent({ percent })
}

/** Null for a whole file. */
export function damageOf({ incomplete, partly_damaged, missing }: GridFile): string | null {
  if (missing) return texts.missing
  if (incomplete) return mediaTexts.incomplete
  return partly_damaged ? texts.partlyDamaged : null
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
  return file.duration === undefined ? kind : `${kind}, ${formatDuration(file.duration)}`
}
