import { formatCount, formatKinds } from '../../kit/format.ts'
import { incompleteMark } from '../../media/incomplete-text.ts'

function files(count: number): string {
  return count === 1 ? '1 file' : `${formatCount(count)} files`
}

const days = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

export const texts = {
  loading: 'Loading…',
  loadFailed: 'Failed to load admin data',
  failed: { title: 'This list could not be loaded', retry: 'Retry' },
  more: 'Show more',
  failedFiles: {
    label: 'Failed files',
    empty: {
      title: 'No failed files',
      text: 'Files that cannot be prepared, are incomplete or partly damaged, or have changed on disk, show here.',
    },
    problem: {
      failed: 'Not prepared',
      damaged: 'Damaged',
      partly_damaged: 'Partly damaged',
      incomplete: incompleteMark,
    },
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
  overview: {
    heading: 'The library',
    files: 'Files',
    kinds: formatKinds,
    storage: 'Storage used',
    originals: 'Originals',
    disk: 'Disk left',
    diskOf: (total: string) => `of ${total}`,
    inStore: 'On this server. Photos and videos are in the S3 store.',
    unknown: 'Unknown',
    backup: 'Last backup',
    noBackup: 'None yet',
    howToBackUp: 'Made with npm run backup',
    daysAgo: (count: number) => days.format(-count, 'day'),
    backedUp: files,
    backupProblems: (count: number) => `${files(count)} damaged or missing`,
    waiting: 'Server tasks waiting',
    failed: 'Server tasks failed',
    lately: 'In the last 30 days, apart from failed files',
    /** By the names of the figures. */
    lookAt: (names: readonly string[]) => `Please look at: ${names.join(', ').toLowerCase()}`,
    sandbox: 'Sandbox',
    sandboxLevels: { full: 'On', partial: 'Partly on', none: 'Off' },
    version: 'Version',
    ffmpeg: 'Video program',
    ffmpegVersion: (version: string, year: number | null) => `ffmpeg ${version}${year === null ? '' : ` (${year})`}`,
    ffmpegOrigins: {
      configured: 'From FFMPEG_PATH.',
      system: 'From the system.',
      package: 'Came with Heirloom.',
    },
    oldFfmpeg: {
      configured: 'It is more than two years old, and lacks security updates since. A newer one is better.',
      system: 'It is more than two years old, and lacks security updates since. Please update the system.',
      package:
        'It is more than two years old, and lacks security updates since. One from the system (apt install ffmpeg) is better, and is used by itself.',
    },
    noFfmpeg: 'None',
    noFfmpegHint: 'Videos cannot be prepared. Install ffmpeg, or set FFMPEG_PATH.',
    growth: 'Added in the last twelve months',
    month: 'Month',
    added: (month: string, count: string, size: string) => `${month}: ${count} files, ${size}`,
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
