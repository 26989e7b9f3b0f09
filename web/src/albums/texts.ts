import { formatCount, formatPhotos as photos } from '../kit/format.ts'

export const texts = {
  page: 'Albums',
  heading: 'Albums',
  subtitle: 'Photos that belong together, wherever they are kept',
  loading: 'Loading…',
  loadFailed: 'Failed to load albums',
  failed: { title: 'The albums could not be loaded', retry: 'Retry' },
  list: 'Albums',
  photos,
  smart: 'Fills itself',
  empty: {
    title: 'No albums yet',
    text: 'Gather the photos of a holiday, a wedding or a first year. They stay in their folders and are in the album too.',
    forViewers: 'When somebody makes an album, it is shown here.',
  },
  create: {
    label: 'New album',
    confirm: 'Make album',
    smartHint: 'For an album that fills itself, search the gallery and choose “Save as album”.',
    success: 'Album made',
    failure: 'Failed to make the album',
  },
  form: {
    title: 'Title',
    description: 'Text',
    descriptionHint: 'What happened, and who was there',
    titleMissing: 'Please give the album a title.',
    save: 'Save',
    cancel: 'Cancel',
  },
  saveSearch: {
    title: 'Save as an album that fills itself',
    text: (search: string | undefined) =>
      `Everything that this search finds is in the album, also what is added later: ${search ?? '…'}`,
  },
  editSearch: {
    label: 'Change its search',
    bar: (title: string) => `Search and filter until you see what “${title}” should show.`,
    nothing: 'Choose at least one filter: all photos of the library would be no album.',
  },
  edit: { label: 'Edit title and text', success: 'Album changed', failure: 'Failed to change the album' },
  order: {
    label: 'Order',
    choices: { oldest: 'Oldest first', newest: 'Newest first', manual: 'By hand' },
    hint: 'Drag photos to arrange them, or press Alt and an arrow key.',
    success: 'Order changed',
  },
  cover: { label: 'Use as cover', clear: 'Use the first photo as cover', success: 'Cover changed' },
  delete: {
    label: 'Delete album',
    title: 'Delete album?',
    confirm: (title: string) => `The album “${title}” is deleted. No photo is: all of them stay in the library.`,
    button: 'Delete',
    success: 'Album deleted. Its photos are still in the library.',
    failure: 'Failed to delete the album',
  },
  add: {
    label: 'Add to album',
    title: (count: number) => (count === 1 ? 'Add to an album' : `Add ${photos(count)} to an album`),
    search: 'Search albums',
    clear: 'Clear search',
    none: 'No album has this name. Make a new one with it.',
    new: 'New album',
    success: (count: number) => (count === 0 ? 'Already in the album' : `Added ${photos(count)} to the album`),
    failure: 'Failed to add to the album',
  },
  remove: {
    label: 'Remove from album',
    success: (count: number, kept: number) =>
      kept === 0
        ? `Removed ${photos(count)} from the album`
        : `Removed ${photos(count)} from the album. ${photos(kept)} that others added ${kept === 1 ? 'stays' : 'stay'}.`,
    failure: 'Failed to remove from the album',
  },
  reorder: {
    success: 'Order changed',
    failure: 'Failed to change the order',
    earlier: 'Move earlier',
    later: 'Move later',
  },
  album: {
    breadcrumb: 'Path',
    madeBy: (name: string) => `Made by ${name}`,
    slideshow: 'Slideshow',
    download: 'Download all',
    share: 'Share',
    collect: 'Ask guests for photos',
    addPhotos: 'Add photos',
    moreText: 'Show all of the text',
    lessText: 'Show less',
    more: 'More actions of the album',
    showSearch: 'Show its search in the gallery',
    /** Undefined until the names in it are loaded. */
    fillsItself: (search: string | undefined) => `Fills itself: ${search ?? '…'}`,
    empty: {
      title: 'An empty album',
      text: 'Choose photos in the gallery; they stay in their folders too.',
    },
    emptySmart: { title: 'Nothing here yet', text: 'As soon as its search finds something, it is shown here.' },
    gone: { title: 'This album is gone', text: 'It has been deleted, or the link is wrong.', back: 'All albums' },
  },
  choosing: {
    label: (title: string) => `Choose photos for “${title}”`,
    add: (count: number, title: string) => `Add ${formatCount(count)} to “${title}”`,
    cancel: 'Cancel',
  },
  ofFile: {
    heading: 'Albums',
    none: 'In no album yet.',
    addedBy: (name: string) => `added by ${name}`,
    addedByGuest: (name: string) => `added by ${name} (guest)`,
    remove: (title: string) => `Remove from “${title}”`,
  },
} as const
