import { formatCount } from '../../kit/format.ts'

export const texts = {
  loading: 'Loading…',
  loadFailed: 'Failed to load admin data',
  failed: { title: 'This list could not be loaded', retry: 'Retry' },
  more: 'Show more',
  failedFiles: {
    label: 'Failed files',
    empty: {
      title: 'No failed files',
      text: 'Files that cannot be prepared, are partly damaged, or have changed on disk, show here.',
    },
    problem: { failed: 'Not prepared', damaged: 'Damaged', partly_damaged: 'Partly damaged' },
    since: (day: string) => `since ${day}`,
    download: 'Download original',
    sandboxed: 'Photos and videos are read in a sandbox: without network, and without access to other files.',
    retryAll: {
      label: 'Try all again',
      success: (count: number, more: boolean) => {
        if (count === 1) return '1 file is being prepared again'
        return `${formatCount(count)} files are being prepared again${more ? '. Press again for the others.' : ''}`
      },
    },
    waiting: (count: number) =>
      count === 1 ? '1 file is being prepared.' : `${formatCount(count)} files are being prepared.`,
  },
  retry: { label: 'Retry', success: 'The file is being prepared again', failure: 'Failed to retry' },
  activity: {
    label: 'Activity',
    who: 'Whose activity',
    everyone: 'Everyone',
    product: 'Heirloom',
    which: 'Which ones?',
    gone: 'Something that is gone',
    restore: { label: 'Restore', success: 'The note is back', failure: 'Failed to restore the note' },
    empty: { title: 'Nothing has happened yet', text: 'Uploads, changes and deletions will be listed here.' },
  },
} as const
