import { formatCount, formatDate } from '../../kit/format.ts'

export const texts = {
  loading: 'Loading…',
  loadFailed: 'Failed to load admin data',
  failed: { title: 'This list did not come through', retry: 'Retry' },
  more: 'Show more',
  deleted: {
    label: 'Recently deleted',
    empty: {
      title: 'Nothing was deleted lately',
      text: 'Deleted files wait here for a while before they go for good.',
    },
    by: (name: string, day: string) => `Deleted by ${name} on ${day}`,
    on: (day: string) => `Deleted on ${day}`,
    until: (moment: string) => `Gone for good on ${formatDate(moment)}`,
  },
  restore: { label: 'Restore', success: 'File restored', failure: 'Failed to restore file' },
  troubled: {
    label: 'Failed files',
    empty: {
      title: 'Every file is fine',
      text: 'Files that cannot be prepared, are partly damaged, or have changed on disk, show here.',
    },
    trouble: { failed: 'Not prepared', damaged: 'Damaged', partly_damaged: 'Partly damaged' },
    since: (day: string) => `since ${day}`,
    download: 'Download original',
    sandboxed: 'Photos and videos are read in a sandbox: without network, and without access to other files.',
    waiting: (count: number) =>
      count === 1 ? '1 file is being prepared.' : `${formatCount(count)} files are being prepared.`,
  },
  retry: { label: 'Retry', success: 'The file is being looked at again', failure: 'Failed to retry' },
  activity: {
    label: 'Activity',
    who: 'Whose activity',
    everyone: 'Everyone',
    product: 'Heirloom',
    empty: { title: 'Nothing has happened yet', text: 'Who added, changed or deleted what will be written down here.' },
  },
} as const
