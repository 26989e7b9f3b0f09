import { formatCount } from '../kit/format.ts'

function photos(count: number): string {
  return `${formatCount(count)} photo${count === 1 ? '' : 's'}`
}

export const texts = {
  page: 'On this day',
  heading: 'On this day',
  subtitle: 'Photos of a day in other years.',
  loading: 'Loading…',
  loadFailed: 'Failed to load the photos of this day',
  failed: { title: 'The photos of this day could not be loaded', retry: 'Retry' },

  top: {
    label: 'On this day, and what is new',
    heading: 'On this day',
    /** As in: 7 years ago, Lisbon. */
    group: (years: number, place: string | null) => [ago(years), place].filter(Boolean).join(', '),
    photos,
    otherDays: 'Other days',
    more: 'More about “On this day”',
    close: 'Close “On this day” until tomorrow',
    closed: 'Closed until tomorrow',
    closeFailed: 'This could not be closed',
    /** As in: 12 photos added since Sunday. */
    added: (count: number, isMore: boolean, since: string) =>
      `${isMore ? `More than ${photos(count)}` : photos(count)} added since ${since}`,
    /** A part of the sentence, so that both are the same name. */
    addedShort: (count: number) => `${photos(count)} added`,
    yesterday: 'yesterday',
    seen: 'Close what is new',
    seenDone: 'Closed',
  },

  day: { month: 'Month', day: 'Day', previous: 'Previous day', next: 'Next day', today: 'Today' },
  none: { title: 'Nothing on this day', text: 'There are no photos of this day in other years.' },
  all: (count: number) => `See all ${photos(count)}`,
  hideDay: {
    label: 'Don’t show this day',
    inMenu: (date: string) => `Don’t show ${date} again`,
    of: (date: string) => `Don’t show this day: ${date}`,
    success: (date: string) => `${date} is hidden from “On this day”, for you alone`,
  },
  hidePhoto: {
    label: (name: string) => `Don’t show ${name} again`,
    inMenu: 'Don’t show this photo in “On this day”',
    success: 'Hidden from “On this day”, for you alone',
  },
  hideFailed: 'It could not be hidden',
  hidden: {
    heading: 'Hidden from “On this day”',
    none: 'Nothing is hidden any more.',
    text: 'Only you do not see these there. They are in the gallery as always.',
    show: 'Show again',
    showOf: (name: string) => `Show again: ${name}`,
    shown: 'Shown again',
    failed: 'It could not be shown again',
  },
}

function ago(years: number): string {
  if (years === 0) return 'Earlier this year'
  return years === 1 ? '1 year ago' : `${formatCount(years)} years ago`
}
