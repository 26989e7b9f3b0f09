import { formatCount } from './format.ts'

/** A change of many files of which a later call failed. */
export interface Stopped {
  /** How many files the calls before it were for. */
  done: number
  /** How many files may have been changed without an answer, and whether Undo includes them. */
  unknown: number
  undoIncludesUnknown: boolean
  total: number
}

export const texts = {
  /** Shown when there is no error message from the server. */
  unreachable: 'The library cannot be reached. Please check your internet connection and try again.',
  unexplained: 'Something went wrong on our side. Please try again.',
  unreadable: 'This page is out of date. Please reload it and try again.',
  noFolder: 'Not in a folder',
  foldersFailed: 'Failed to load folders',
  undo: 'Undo',
  undone: 'Undone',
  undoing: (done: number, total: number) => `Undoing: ${formatCount(done)} of ${formatCount(total)}`,
  doing: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} done`,
  doneInPart({ done, unknown, undoIncludesUnknown, total }: Stopped): string {
    const known = `${formatCount(done)} of ${formatCount(total)} are done.`
    if (unknown === 0) return known
    const next = `Whether the next ${formatCount(unknown)} are done is not known`
    return `${known} ${next}${undoIncludesUnknown ? '.' : ': Undo leaves them as they are.'}`
  },
  undoneExcept: (count: number) =>
    `Undone, except for ${count === 1 ? 'one that has' : `${formatCount(count)} that have`} changed since`,
  undoneInPart: (changed: number, unfinished: number) =>
    `${formatCount(changed)} undone, ${formatCount(unfinished)} could not be undone`,
  undoFailed: 'This could not be undone',
} as const
