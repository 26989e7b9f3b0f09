import type { UndoableChange } from '#contract/changes.ts'
import { changes } from '#contract/limits.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { texts } from './texts.ts'

const messages = texts.details.undo

/** As in "Moved to this folder, Sunday, 17 November 2019 at 10:15." */
export function changeInWords({ kind, tag = '', at }: UndoableChange): string {
  const moment = formatDateAndTime(at)
  switch (kind) {
    case 'media.date':
      return messages.change.date({ moment })
    case 'media.place':
      return messages.change.place({ moment })
    case 'media.caption':
      return messages.change.caption({ moment })
    case 'media.move':
      return messages.change.move({ moment })
    case 'media.rotate':
      return messages.change.rotate({ moment })
    case 'media.tag':
      return messages.change.tag({ tag, moment })
    case 'media.untag':
      return messages.change.untag({ tag, moment })
    default:
      return messages.change.other({ moment })
  }
}

/** The label of the button that undoes a change of so many files. */
export function undoInWords(count: number): string {
  return count > changes.countedFiles ? messages.allUncounted : messages.all({ count })
}

/** What undoing a change of a kind has done, for so many files. */
export function undoneInWords(kind: string, count: number): string {
  if (kind === 'media.date') return messages.done.date({ count })
  if (kind === 'media.caption') return messages.done.caption
  return kind === 'media.place' ? messages.done.place({ count }) : messages.done.other({ count })
}
