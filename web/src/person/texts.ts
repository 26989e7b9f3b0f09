export const texts = {
  loading: 'Loading…',
  loadFailed: 'Failed to load this page',
  failed: { title: 'This page could not be loaded', retry: 'Retry' },
  unknown: { title: 'Nobody here', text: 'There is nobody with this address.', back: 'Back to the gallery' },
  former: 'Can no longer sign in',
  settings: 'My settings',
  all: (count: string) => `Show all ${count}`,
  more: 'Show older',
  uploads: { heading: 'Added', none: 'No photos yet' },
  hearts: { heading: 'Favourites', none: 'No favourites yet' },
  notes: { heading: 'Notes', none: 'No notes yet', on: 'on' },
  comments: { heading: 'Comments on albums', on: 'on' },
} as const
