import { formatCount } from '../kit/format.ts'

function days(count: number): string {
  return count === 1 ? '1 day' : `${formatCount(count)} days`
}

function photos(count: number): string {
  return count === 1 ? '1 file' : `${formatCount(count)} files`
}

export const texts = {
  page: 'Recently deleted',
  heading: 'Recently deleted',
  subtitle: (trashDays: number, all: boolean) =>
    `${all ? 'What the family deletes' : 'What you delete'} stays here for ${days(trashDays)}, then it is gone for good.`,
  loading: 'Loading…',
  loadFailed: 'Failed to load what was deleted',
  failed: { title: 'The deleted photos could not be loaded', retry: 'Retry' },
  empty: {
    title: 'Nothing was deleted',
    text: 'Photos and videos that you delete wait here for a while, in case you change your mind.',
    back: 'Back to the photos',
  },
  grid: 'Deleted files',
  left: (count: number) => (count <= 1 ? 'Last day' : `${days(count)} left`),
  deletedBy: (name: string) => `deleted by ${name}`,
  howToRestore: 'Select what you want to restore.',
  selectAll: 'Select all',
  selectNone: 'Select none',
  enlarge: (name: string) => `Enlarge ${name}`,
  close: 'Close',
  clear: 'Clear selection',
  bar: 'Selected files',
  selected: (count: number) => `${formatCount(count)} selected`,
  restore: 'Restore',
  restoring: (done: number, total: number) => `Restoring: ${formatCount(done)} of ${formatCount(total)}`,
  restored: (count: number) => `${photos(count)} restored`,
  restoredExcept: (count: number, missed: number) =>
    `${photos(count)} restored. ${formatCount(missed)} ${missed === 1 ? 'was' : 'were'} not here any more.`,
  restoredInPart: (count: number, unfinished: number) =>
    `${photos(count)} restored, ${formatCount(unfinished)} could not be restored`,
  restoreFailed: 'Failed to restore',
  selectFailed: 'Failed to select files',
} as const
