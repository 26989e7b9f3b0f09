import type { FileType } from '#contract/media.ts'
import { formatCount, formatDate, formatPhotos as photos } from '../kit/format.ts'

const times = (count: number) => (count === 1 ? 'once' : `${formatCount(count)} times`)

export const texts = {
  share: {
    label: 'Share by link',
    title: (count: number) => `Share ${photos(count)} by link`,
    who: (count: number) =>
      `Anyone who has the link can see and download ${count === 1 ? 'this photo' : 'these photos'}, without an account. They see nothing else of the library, and no names, places or notes.`,
    titleOfAlbum: (title: string) => `Share “${title}” by link`,
    whoOfAlbum:
      'Anyone who has the link can see and download what this album holds, also what is added later, without an account. They see nothing else of the library, and no names, places or notes.',
    titleOfUploadLink: (title: string) => `Ask guests for photos for “${title}”`,
    whoOfUploadLink:
      'Anyone who has the link can send photos and videos, without an account. They see nothing of the library and of what others send. What arrives waits until a member takes it in.',
    capacity: 'The link takes',
    capacities: {
      small: 'up to 100 photos, 5 GB',
      medium: 'up to 500 photos, 20 GB',
      large: 'up to 5,000 photos, 200 GB',
    },
    name: 'Title (guests see it)',
    namePlaceholder: 'Summer in Lisbon',
    expiry: 'The link works',
    expiries: {
      '1': 'for a day',
      '7': 'for a week',
      '30': 'for 30 days',
      '365': 'for a year',
      never: 'until I end it',
    },
    password: 'Password (optional)',
    passwordHint: (shortest: number) =>
      `At least ${shortest} characters, because a shorter one can be guessed. Tell it to your guests yourself.`,
    originals: 'May download the originals',
    originalsHint:
      'Originals are untouched: they say where a photo was taken, when, and with which camera. Without this, guests get copies in screen size without all that.',
    cancel: 'Cancel',
    make: 'Make link',
    failure: 'The link could not be made',
    done: 'Your link is ready',
    address: 'Address of the link',
    copy: 'Copy',
    copied: 'Copied',
    once: 'Copy it now: for safety it is not kept, and cannot be shown again.',
    withPassword: 'Guests also need the password that you chose.',
    send: 'Send…',
    sendFailure: 'The link could not be sent',
    manage: 'You can end it at any time under Links.',
    close: 'Done',
  },
  page: 'Links',
  subtitle: (all: boolean) =>
    all
      ? 'What the family shows to people without an account. Ending a link works at once.'
      : 'What you, and others from your albums, show to people without an account. Ending a link works at once.',
  loading: 'Loading…',
  loadFailed: 'Failed to load the links',
  failed: { title: 'The links could not be loaded', retry: 'Retry' },
  empty: {
    title: 'No links yet',
    text: 'Choose some photos and press “Share by link”, to show them to people without an account.',
    forViewers: 'Members can share photos by a link with people without an account.',
    back: 'Back to the photos',
  },
  files: photos,
  /** A link without a title: the name of its first file. */
  named: (name: string | undefined, count: number) => {
    if (name === undefined) return photos(count)
    return count === 1 ? name : `${name} and ${formatCount(count - 1)} more`
  },
  album: 'album',
  uploads: 'guests send photos',
  sent: (count: number) => (count === 0 ? 'nothing sent yet' : `${photos(count)} sent`),
  waiting: (count: number) => `${formatCount(count)} waiting: look through`,
  albumDeleted: 'album deleted',
  madeBy: (name: string, when: string) => `made by ${name}, ${formatDate(when)}`,
  made: (when: string) => `made ${formatDate(when)}`,
  until: (when: string) => `until ${formatDate(when)}`,
  endless: 'until somebody ends it',
  expired: 'expired',
  locked: 'with a password',
  originals: 'gives the originals',
  views: (count: number) => (count === 0 ? 'not opened yet' : `opened ${times(count)}`),
  edit: {
    label: 'Change',
    labelOf: (title: string) => `Change link “${title}”`,
    title: 'Change link',
    who: 'The address stays the same. Another password is asked of everybody, also of those who have opened the link.',
    password: 'New password (empty: as it is)',
    removePassword: 'Remove the password',
    save: 'Save',
    success: 'Link changed',
    failure: 'The link could not be changed',
  },
  end: 'End link',
  endOf: (title: string) => `End link “${title}”`,
  ended: 'The link works no more',
  endFailure: 'The link could not be ended',

  guest: {
    page: 'Photos for you',
    /** Of a link without a title. */
    heading: (only: FileType | undefined) =>
      only === undefined ? 'Photos for you' : only === 'image' ? 'A photo for you' : 'A video for you',
    count: photos,
    until: (when: string) => `until ${formatDate(when)}`,
    loading: 'Loading…',
    failed: { title: 'The photos could not be loaded', retry: 'Retry' },
    gone: {
      title: 'This link does not work',
      text: 'It may have ended, or a part of its address is missing. Please ask the person who sent it.',
    },
    empty: { title: 'Nothing to see here', text: 'The photos of this link are not in the library any more.' },
    password: {
      title: 'This link has a password',
      again: 'Please enter the password of the link again. Nothing is lost: sending goes on by itself after that.',
      label: 'Password',
      open: 'Open the link',
    },
    kinds: { image: 'Photo', video: 'Video' },
    slideshow: 'Slideshow',
    download: 'Download',
    downloadAll: 'Download all',
    downloadOriginals: 'Download originals',
    preparing: (count: number) =>
      count === 1
        ? 'One of them is still being prepared. It will appear by itself; until then “Download all” leaves it out.'
        : `${formatCount(count)} of them are still being prepared. They will appear by themselves; until then “Download all” leaves them out.`,
  },
} as const
