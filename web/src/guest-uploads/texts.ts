import { formatCount } from '../kit/format.ts'

const photos = (count: number) => (count === 1 ? '1 photo or video' : `${formatCount(count)} photos and videos`)
const them = (count: number) => (count === 1 ? 'it' : 'them')

export const texts = {
  page: 'From guests',
  heading: (album: string | undefined) => (album === undefined ? 'From guests' : `From guests, for “${album}”`),
  subtitle:
    'Choose what comes into the album. Nothing here is in the library yet, and guests do not see what you choose.',
  refusedSubtitle: (days: number) =>
    `What was not taken in is removed for good after ${days} days. Until then you can change your mind.`,
  tabs: { waiting: 'Waiting', refused: 'Not taken in' },
  tabsLabel: 'Which files',
  loading: 'Loading…',
  loadFailed: 'Failed to load what guests have sent',
  failed: { title: 'What guests have sent could not be loaded', retry: 'Retry' },
  empty: {
    waiting: { title: 'Nothing is waiting', text: 'What guests send by an upload link appears here.' },
    refused: { title: 'Nothing here', text: 'Files that you do not take in stay here for a while.' },
    back: 'Back to the album',
    albums: 'To the albums',
  },
  hint: 'Tap photos to choose them.',
  keys: 'Arrow keys move, Space chooses, T takes in, N does not.',
  grid: 'Files from guests',
  selectAll: 'Select all',
  selectNone: 'Select none',
  clear: 'Clear the selection',
  bar: 'Selected files',
  selected: (count: number) => `${formatCount(count)} selected`,
  accept: 'Take in',
  acceptOne: 'Take in',
  refuse: 'Not these',
  refuseOne: 'Not this one',
  putBack: 'Put back',
  accepted: (count: number, held: number) =>
    `${photos(count)} taken in${held > 0 ? `. The library had ${held === count ? them(count) : formatCount(held)} already` : ''}`,
  acceptFailure: 'They could not be taken in',
  noneAccepted: 'Somebody has decided on them already',
  refused: (count: number) => `${photos(count)} not taken in`,
  refuseFailure: 'That did not work',
  restored: (count: number) => `${photos(count)} put back`,
  restoreFailure: 'They could not be put back',
  from: (guest: string) => `from ${guest}`,
  enlarge: (name: string) => `Show ${name} large`,
  preparing: 'Being prepared',
  noPicture: 'No preview',
  previous: 'Previous',
  next: 'Next',
  close: 'Close',
  waiting: (count: number) => `${photos(count)} from guests ${count === 1 ? 'is' : 'are'} waiting`,
  review: 'Look through',
  reviewAll: 'Look through all',
  reviewOf: (album: string, count: number) => `${album} (${formatCount(count)})`,
} as const
