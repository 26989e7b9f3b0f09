import { formatCount } from './format.ts'

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
  undoneExcept: (count: number) =>
    `Undone, except for ${count === 1 ? 'one that has' : `${formatCount(count)} that have`} changed since`,
  undoneInPart: (changed: number, unfinished: number) =>
    `${formatCount(changed)} undone, ${formatCount(unfinished)} could not be undone`,
  undoFailed: 'This could not be undone',
} as const
