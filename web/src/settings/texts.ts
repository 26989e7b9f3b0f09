import type { SortField } from '#contract/media-list.ts'
import type { StartView } from '#contract/people.ts'
import type { MutableKind, OptionalKind } from '#contract/settings.ts'

export const texts = {
  page: 'My settings',
  heading: 'My settings',
  subtitle: 'How the family sees you, and how the library looks to you.',
  loading: 'Loading…',
  loadFailed: 'Failed to load your settings',
  failed: { title: 'Your settings could not be loaded', retry: 'Retry' },
  saved: 'Saved',
  saveFailed: 'Your settings could not be saved',
  name: {
    heading: 'Name and picture',
    label: 'The name that the family sees',
    save: 'Save name',
    missing: 'Please enter a name',
    taken: (name: string) => `${name} is called that too. Choose another name, so that nobody mixes you up.`,
    back: (name: string) => `Use “${name}” again`,
  },
  picture: {
    choose: 'Choose a picture',
    remove: 'Use the picture of my account again',
    saved: 'Your picture is saved',
    failed: 'The picture could not be used',
    unreadable: 'This file is no picture that this browser can read.',
  },
  notifications: {
    heading: 'Tell me when',
    kinds: {
      mention: 'somebody mentions me',
      comment: 'somebody writes a note on a photo of mine',
      tag: 'somebody tags a photo of mine',
      message: 'somebody sends me a message',
      hearts: 'somebody loves a photo of mine',
      guests: 'guests have sent photos to look through',
    } satisfies Record<MutableKind, string>,
    optional: {
      memories: 'there are photos of this day in other years, at most once a day',
    } satisfies Record<OptionalKind, string>,
  },
  start: {
    heading: 'When I open the library',
    view: 'Show photos',
    views: {
      squares: 'As squares',
      proportions: 'In their true proportions',
      list: 'As a list',
    } satisfies Record<StartView, string>,
    asBefore: 'As this device showed them last',
    sort: 'Sort by',
    sorts: {
      date: 'Date',
      name: 'Name',
      size: 'Size',
      type: 'Type',
      location: 'Location',
    } satisfies Record<SortField, string>,
  },
  devices: {
    heading: 'Where I am signed in',
    unknown: 'Unknown device',
    current: 'this device',
    lastUsed: (moment: string) => `Last used ${moment}`,
    end: { label: 'Sign out', success: 'Signed out there', failure: 'That device could not be signed out' },
    everywhere: {
      label: 'Sign out everywhere',
      title: 'Sign out everywhere?',
      text: 'Every device is signed out, this one too. Then you sign in again.',
      failure: 'You could not be signed out everywhere',
    },
  },
} as const
