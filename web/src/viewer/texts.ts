import type { UndoableChange } from '#contract/changes.ts'
import { changes } from '#contract/limits.ts'
import type { DateSource } from '#contract/media.ts'
import { formatCount } from '../kit/format.ts'

const foundIn: Record<DateSource, (date: string) => string> = {
  person: date => `It was corrected to ${date} before.`,
  sidecar: date => `The file beside it says ${date}.`,
  metadata: date => `The camera said ${date}.`,
  name: date => `The name of the file says ${date}.`,
  modified: date => `The file says that it was last written on ${date}.`,
  file: date => `The date of the file is ${date}.`,
}

const preparing = (what: string, percent: number | null) => (percent === null ? `${what}…` : `${what}… ${percent}%`)

export const texts = {
  close: 'Close',
  previous: 'Previous file',
  next: 'Next file',
  loading: 'Loading…',
  position: (index: number, total: number) => `${formatCount(index + 1)} of ${formatCount(total)}`,
  notAvailable: 'Not available',
  retry: 'Retry',
  gone: 'This file is not in the library any more.',
  notShown: 'This photo cannot be shown. The original is still there to download.',
  couldNotPrepare: 'This file could not be prepared.',
  preparing: (percent: number | null) => preparing('This photo is still being prepared', percent),
  progress: 'Progress',
  willAppear: 'It will appear here by itself.',
  downloadOriginal: 'Download the original',
  video: {
    converting: (percent: number | null) => preparing('This video is still being converted', percent),
    notPlayed: 'Failed to load video file',
    preparingVersion: (percent: number | null) => preparing('Preparing a version for this device', percent),
    whyVersion: 'This device cannot play the original. The video will start here by itself.',
    versionFailed: 'No version for this device could be prepared.',
  },
  animation: { play: 'Play', stop: 'Stop' },
  live: { label: 'Live', hint: 'Rest here, or hold the photo, to see it move' },

  tools: 'Tools',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoomLevel: (scale: number) => `${formatCount(Math.round(scale * 10) / 10)}×`,
  rotate: 'Rotate',
  saveRotation: {
    save: 'Save rotation',
    done: 'Rotation saved',
    failure: 'The rotation could not be saved',
  },
  fullscreen: { enter: 'Full screen', leave: 'Leave full screen' },
  more: 'More actions',
  moreShort: 'More',
  download: 'Download',
  rename: 'Rename',
  move: 'Move to folder',
  share: 'Share by link',
  rehash: 'Rehash',
  delete: 'Delete',
  slideshow: {
    start: 'Start slideshow',
    stop: 'Stop slideshow',
    every: 'Next photo after',
    seconds: (seconds: number) => (seconds === 1 ? '1 second' : `${seconds} seconds`),
    short: (seconds: string) => `${seconds} s`,
    interval: (seconds: number) => `Slideshow interval: ${seconds === 1 ? '1 second' : `${seconds} seconds`}`,
  },

  panel: 'Details & Tags',
  showPanel: 'Show Details & Tags',
  hidePanel: 'Hide Details & Tags',
  details: {
    heading: 'Details',
    partlyDamaged: {
      image: 'Part of this photo is damaged. The original is kept as it arrived.',
      video: 'Part of this video is damaged or missing. The original is kept as it arrived.',
    },
    firstFrameOnly:
      'This picture moves, but only its first frame can be shown here. The original is kept as it arrived.',
    incomplete:
      'It is kept as it arrived. If it is still on a phone, camera or computer, keep it there and try uploading it again.',
    fileName: 'File name',
    taken: 'Taken',
    date: 'Date',
    dateFrom: {
      sidecar: 'From the file beside it',
      metadata: 'From the camera',
      name: 'From the file name',
      modified: 'From when the camera or a program last wrote the file',
      file: 'From the date of the file',
      person: 'Corrected',
    },
    changeDate: 'Change date…',
    correctedBy: (name: string | undefined, when: string) =>
      name === undefined ? `Corrected, ${when}.` : `Corrected by ${name}, ${when}.`,
    found: (date: string, source: DateSource | null) =>
      source === null ? 'Nothing else says when it was taken.' : foundIn[source](date),
    undo: {
      all: (count: number) =>
        count === 1
          ? 'Undo this change'
          : `Undo this change for all ${count > changes.countedFiles ? 'its' : formatCount(count)} files`,
      found: {
        person: 'Use the camera’s date',
        sidecar: 'Use the date of the sidecar',
        metadata: 'Use the camera’s date',
        name: 'Use the date in the name',
        modified: 'Use the date in the file',
        file: 'Use the date of the file',
      } satisfies Record<DateSource, string>,
      cameraPlace: 'Use the camera’s place',
      done: (kind: string, count: number) => {
        const what = { 'media.date': ['date', 'dates'], 'media.place': ['place', 'places'] }[kind]
        if (what === undefined) return count === 1 ? 'As before.' : `${formatCount(count)} files are as before.`
        return count === 1
          ? `The ${what[0]} is as before.`
          : `The ${what[1]} of ${formatCount(count)} files are as before.`
      },
      others: 'Changed by you',
      change: ({ kind, tag }: UndoableChange) =>
        ({
          'media.date': 'Its date',
          'media.place': 'Its place',
          'media.move': 'Moved to this folder',
          'media.rotate': 'Turned',
          'media.tag': `Tagged with “${tag}”`,
          'media.untag': `Tag “${tag}” removed`,
        })[kind] ?? 'Changed',
      failed: 'The change could not be undone',
    },
    doubtful: (date: string) => `The camera said ${date}, but its clock was probably wrong`,
    size: 'Size',
    dimensions: 'Dimensions',
    duration: 'Length',
    camera: 'Camera',
    exposure: 'Exposure',
    flash: 'flash',
    place: 'Place',
    noPlace: 'Not known',
    changePlace: 'Change place',
    placeBy: (name: string, when: string) => `Changed by ${name}, ${when}.`,
    cameraPlace: (place: string) => `The camera said ${place}.`,
    uploaded: 'Uploaded',
    by: 'by',
    folder: 'Folder',
    moveFrom: (folder: string | undefined) =>
      folder === undefined ? 'Move to a folder' : `Move to another folder, now in ${folder}`,
    megapixels: (count: number) => `${formatCount(count)} ${count === 1 ? 'megapixel' : 'megapixels'}`,
    map: (place: string) => `Map of ${place}`,
  },
} as const
