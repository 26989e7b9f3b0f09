import { formatCount, numberFormat } from '../kit/format.ts'
import type { Status } from './upload-items.ts'
import type { Counts } from './upload-progress.ts'

function files(count: number): string {
  return count === 1 ? '1 file' : `${formatCount(count)} files`
}

const percent = (progress: number) => `${Math.floor(progress * 100)}%`

/** The text of each status, given how far the step is. */
const status: Record<Exclude<Status, 'error' | 'duplicate'>, (progress: number | null) => string> = {
  pending: () => 'Ready',
  processing: () => 'Processing…',
  transcoding: progress => `Converting… ${percent(progress ?? 0)}`,
  extracting: () => 'Reading date and place…',
  hashing: progress => (progress ? `Reading… ${percent(progress)}` : 'Reading…'),
  checking: () => 'Checking for duplicates…',
  uploading: progress => `Uploading… ${percent(progress ?? 0)}`,
  success: () => 'Uploaded',
}

export const texts = {
  title: 'Upload Media Files',
  close: 'Close',
  closeAndContinue: 'Close; the upload goes on',
  drop: {
    title: 'Drag photos and videos here, or click to choose',
    touch: 'Choose photos and videos',
    text: 'Images and videos of any size, including MTS and MKV.',
    desktop: 'Whole folders can be dropped, and pictures pasted.',
    now: 'Let go to add them',
    more: 'Add More Files',
  },
  invalidFile: 'Invalid file',
  invalidType: 'This file is neither a photo nor a video',
  emptyFile: 'This file is empty',
  destination: { label: 'Destination folder', root: 'Not in a folder' },
  details: 'Details',
  keepStructure: {
    label: 'Keep the folder structure',
    hint: 'Folders that were dropped are made here too, unless they are there already.',
  },
  processing: {
    label: 'Processing option',
    client: { label: 'Client-side', hint: 'Process before upload, on this device' },
    server: { label: 'Server-side', hint: 'Faster upload, processed after' },
  },
  summary: {
    label: 'Summary',
    total: 'Total',
    ready: 'Ready to Process',
    duplicates: 'Duplicates',
    uploaded: 'Uploaded',
  },
  insights: {
    title: 'Storage insights',
    optimal: 'Optimal (20–200 MB)',
    small: 'Small (under 1 MB)',
    large: 'Large (over 500 MB)',
    batch: 'Batch size',
    megabytes: (bytes: number) => {
      const megabytes = bytes / 1024 ** 2
      const maximumFractionDigits = megabytes < 1 ? 3 : megabytes < 10 ? 1 : 0
      return `${numberFormat(undefined, { maximumFractionDigits }).format(megabytes)} MB`
    },
    note: 'Large files use optimized multipart uploads.',
  },
  list: 'Files to upload',
  status,
  waiting: 'Waiting for the connection…',
  notInspected: 'Waiting',
  duplicate: {
    library: (name: string) => `Already in the library as “${name}”, so it is skipped`,
    incomplete: 'This file is incomplete, in the library too: its end is missing.',
    selection: (name: string) => `The same as “${name}” in this selection, so it is skipped`,
  },
  livePhoto: 'Live Photo',
  onlyClipIsNew: 'The library has this photo; its moving part is added',
  clipIsSeparate: (clip: string) => `“${clip}” is not a part of this photo, and was added as a video of its own`,
  remove: (name: string) => `Remove ${name}`,
  retry: 'Retry',
  retryOf: (name: string) => `Retry ${name}`,
  retryAll: 'Retry all',
  progressOf: (name: string) => `Progress of ${name}`,

  errors: {
    process: 'Failed to process file',
    upload: 'Upload failed',
    transcode: (reason: string) => `Transcoding failed: ${reason}`,
    hash: (reason: string) => `Hash generation failed: ${reason}`,
    check: 'Failed to check for duplicates',
    server: 'Server error',
    unreadable: 'The file can no longer be read. Was it moved or changed, or a card taken out?',
  },
  toasts: {
    allDone: (count: number) => `Successfully processed ${files(count)}`,
    someFailed: (done: number, failed: number) => `Processed ${files(done)}, ${formatCount(failed)} failed`,
    allFailed: (count: number) => `Failed to process ${files(count)}`,
    broken: 'Failed to process files for upload',
    incomplete: (count: number) => `${files(count)} incomplete. Look at the receipt before you delete anything.`,
    uploaded: 'Files uploaded successfully!',
    convert: (name: string, reason: string) => `Failed to convert ${name}: ${reason}`,
    copied: 'Copied',
    copyFailed: 'This browser does not let the list be copied.',
  },

  footer: {
    processed: (done: number, total: number) => `${formatCount(done)} of ${files(total)} processed`,
    processing: (count: number) => `${formatCount(count)} processing`,
    duplicates: (count: number, finished: boolean) =>
      `${formatCount(count)} ${count === 1 ? 'duplicate' : 'duplicates'} (${finished ? 'skipped' : 'will be skipped'})`,
    ready: (count: number) => `${formatCount(count)} new ${count === 1 ? 'file' : 'files'} ready`,
    cancel: 'Cancel',
    done: 'Done',
    upload: (count: number) => `Upload ${formatCount(count)} ${count === 1 ? 'File' : 'Files'}`,
    uploading: 'Uploading...',
  },
  cancelled: 'Cancelled',

  overall: {
    label: 'Upload progress',
    /** By the paths of the destinations; null is none. */
    to: (paths: readonly (string | null)[]) => {
      const [path] = paths
      if (paths.length > 1) return `Uploading to ${formatCount(paths.length)} places`
      return path ? `Uploading to ${path}` : 'Uploading to the library, not in a folder'
    },
    percent,
    lessThanAMinute: 'Less than a minute left',
    minutes: (count: number) => (count === 1 ? 'About a minute left' : `About ${formatCount(count)} minutes left`),
    hours: (count: number) => (count === 1 ? 'About an hour left' : `About ${formatCount(count)} hours left`),
    /** Announced by screen readers at intervals. */
    announce: (done: number, total: number) => `${percent(done)} of ${files(total)} uploaded`,
    /** Announced before and after. Other words than on the screen, so that nothing is read twice. */
    checked: (ready: number, duplicates: number) =>
      `Checked: ${files(ready)} to upload, ${formatCount(duplicates)} already in the library`,
    finished: ({ uploaded, duplicates, failed, rejected, incomplete }: Counts) =>
      `Finished: ${files(uploaded)} uploaded, ${formatCount(duplicates)} already in the library, ${formatCount(failed)} failed${rejected === 0 ? '' : `, ${formatCount(rejected)} not accepted`}${incomplete === 0 ? '' : `, ${formatCount(incomplete)} incomplete`}`,
  },
  pill: {
    open: 'Open the upload',
    uploading: (current: number, total: number) => `Uploading ${formatCount(current)} of ${formatCount(total)}`,
    finished: (uploaded: number) => `${files(uploaded)} safe in the library`,
    alreadyThere: 'Everything was already in the library',
    failed: (failed: number) => `${files(failed)} not uploaded`,
    incomplete: (count: number) => `${files(count)} incomplete`,
    unfinished: (count: number) => `${files(count)} not uploaded yet`,
    chosen: (count: number) => `${files(count)} chosen`,
    dismiss: 'Dismiss',
  },
  receipt: {
    title: 'Receipt',
    stored: (count: number) => `${files(count)} safe in the library`,
    confirmed: 'Each arrived byte for byte as it was sent.',
    unconfirmed: (count: number) => `${files(count)} could not be compared with what this device has.`,
    duplicates: (count: number) => `${files(count)} already there`,
    failed: (count: number) => `${files(count)} not uploaded`,
    incomplete: (count: number) => (count === 1 ? '1 file is incomplete' : `${files(count)} are incomplete`),
    keepOriginal: (count: number) =>
      count === 1
        ? 'It is kept as it arrived. Keep the original on your device, and try uploading it again.'
        : 'They are kept as they arrived. Keep the originals on your device, and try uploading them again.',
    rejected: (count: number) => `${files(count)} not accepted`,
    copy: 'Copy as a list',
    /** Lines of the list that is copied to the clipboard. */
    lines: {
      stored: (name: string, hash: string | null) => `safe\t${name}\t${hash ?? ''}`,
      duplicates: (name: string, as: string) => `already there\t${name}\t${as}`,
      incomplete: (name: string, reason: string) => `incomplete\t${name}\t${reason}`,
      failed: (name: string, reason: string) => `not uploaded\t${name}\t${reason}`,
      rejected: (name: string, reason: string) => `not accepted\t${name}\t${reason}`,
    },
  },
  unfinished: {
    title: (count: number) => `${files(count)} not finished last time`,
    text: 'Choose the files again, and the upload goes on where it stopped. What is already safe is skipped.',
    withHandles: 'The upload can go on where it stopped. What is already safe is skipped.',
    resume: 'Go on',
    chooseAgain: 'Choose the files again',
    discard: 'Forget them',
    more: (count: number) => `and ${formatCount(count)} more`,
  },
} as const
