import type { SortField, SortOrder } from '#contract/media-list.ts'
import { formatCount } from '../kit/format.ts'
import { incompleteMark } from '../media/incomplete-text.ts'

function files(count: number): string {
  return count === 1 ? '1 file' : `${formatCount(count)} files`
}

/** Of a folder with subfolders. The sum is what the folder tree shows. */
function filesAndBelow(count: number, below: number): string {
  return count === 0 ? `${files(below)} in its folders` : `${files(count)}, ${formatCount(below)} more in its folders`
}

const orders: Record<SortField, Record<SortOrder, string>> = {
  date: { desc: 'Newest first', asc: 'Oldest first' },
  name: { asc: 'A to Z', desc: 'Z to A' },
  size: { asc: 'Smallest first', desc: 'Largest first' },
  type: { asc: 'A to Z', desc: 'Z to A' },
  location: { asc: 'A to Z', desc: 'Z to A' },
}

const FOR_GOOD = 'This action cannot be undone.'

function days(count: number): string {
  return count === 1 ? 'a day' : `${formatCount(count)} days`
}

export const texts = {
  page: 'Gallery',
  heading: 'Gallery',
  subtitle: 'Shared family photos and videos',
  loading: 'Loading…',

  stats: {
    label: 'The library in figures',
    total: 'Total Files',
    images: 'Images',
    videos: 'Videos',
    storage: 'Storage Used',
    showingAll: 'Showing all',
    activeFilter: 'Active filter',
  },

  search: { label: 'Search', placeholder: 'Search files...', clear: 'Clear search' },
  suggestions: {
    label: 'Suggestions',
    chosen: 'Chosen filters',
    groups: {
      place: 'Places',
      tag: 'Tags',
      camera: 'Cameras',
      year: 'Years',
      date: 'Date',
      uploader: 'Added by',
    },
    kinds: {
      place: 'place',
      area: 'place',
      tag: 'tag',
      camera: 'camera',
      year: 'year',
      date: 'date',
      uploader: 'person',
    },
    showAll: (count: number) => `Show all ${formatCount(count)}`,
    anyKind: 'filter',
    remove: (kind: string, label: string) => `Remove ${kind} ${label}`,
  },
  type: {
    label: 'Type',
    all: 'All Files',
    image: 'Images Only',
    video: 'Videos Only',
    showAll: 'Show All',
  },
  sort: {
    label: 'Sort by',
    fields: { name: 'Name', date: 'Date', size: 'Size', type: 'Type', location: 'Location' },
    orders,
    reverse: (now: string, then: string) => `${now}. Change to: ${then.toLowerCase()}`,
  },
  view: {
    label: 'View',
    grid: 'Grid',
    proportions: 'True proportions',
    list: 'List',
    names: 'Names',
    smaller: 'Smaller photos',
    larger: 'Larger photos',
  },
  filters: { open: 'Filters', close: 'Close filters' },

  allFiles: 'All Files',
  onMap: 'Photos here',
  favourites: {
    heading: 'Favourites',
    of: (name: string) => `Loved by ${name}`,
    only: 'Only Favourites',
    none: {
      title: 'No favourites yet',
      text: 'Tap the heart on a photo or video that you love. You find it here again, and the family sees that you love it.',
    },
    noneOfOther: { title: 'Nothing here yet', text: 'What this person loves will be shown here.' },
    show: 'Show all files',
  },
  memory: (date: string) => `On this day: ${date}`,
  newSince: (moment: string) => `Added by others since ${moment}`,
  /** Parts of the search of a smart album, as in: videos · “beach” · Norway · loved by you. */
  searchWords: {
    types: { image: 'photos', video: 'videos' },
    text: (text: string) => `“${text}”`,
    noFolder: 'in no folder',
    folder: (name: string) => `in the folder ${name}`,
    folderGone: 'in a folder that is deleted',
    bounds: 'an area on the map',
    tag: (name: string) => `tag ${name}`,
    tagGone: 'a tag that nothing has',
    lovedBy: (name: string) => `loved by ${name}`,
    addedBy: (name: string) => `added by ${name}`,
    you: 'you',
    personGone: 'somebody who is no longer here',
    camera: (name: string) => `camera ${name}`,
    undated: 'undated',
  },
  inAlbum: 'In this album',
  inFolder: (folder: string) => `Folder: ${folder}`,
  files,
  filesAndBelow,

  banner: {
    save: 'Save as album',
    /** As in: 12 images found for “beach”. */
    found: (count: number, noun: 'image' | 'video' | 'file' = 'file', search = '') => {
      const what = `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
      return search === '' ? `Showing ${what}` : `Showing ${what} for “${search}”`
    },
    notCounted: 'The files could not be counted.',
    clear: 'Clear filters',
  },

  firstRun: {
    title: 'No photos or videos yet',
    text: 'Everything the family adds will find its place here.',
    add: {
      title: 'Add your first photos',
      text: 'Choose photos and videos from this device. They are kept exactly as they are.',
    },
    invite: {
      title: 'Invite the family',
      address: 'The address of this library',
      byAdmin: 'Make a link and send it to them. They sign in and are in at once, or you look at them first.',
      byMember: (admin: string) => `Send them this address. They sign in, and ${admin} lets them in.`,
    },
    bring: {
      title: 'Import a folder',
      command: 'The command',
      text: 'Run this on the computer that runs Heirloom, with your own folder. Its subfolders are kept, and the photos are copied.',
    },
    copy: 'Copy',
    copied: 'Copied',
  },
  emptyFolder: {
    title: 'This folder is empty',
    text: 'Move files here from the gallery, or choose this folder when you upload.',
    out: 'Show all files',
  },
  allInFolders: {
    title: 'No files outside folders',
    text: 'A file that is in no folder is shown here.',
  },
  nothingFound: {
    title: 'Nothing found',
    search: (search: string) => `No name, folder, tag, note, place or camera contains “${search}” here.`,
    type: 'There are no files of this type here.',
    filters: 'Nothing here matches all of these filters.',
    showDate: (date: string) => `Show ${date}`,
    showUndated: 'Show undated files',
  },
  noSuchFolder: {
    title: 'This folder is no longer here',
    text: 'Somebody may have deleted it. Its files are still in the library.',
  },
  failed: {
    title: 'The photos did not come through',
    retry: 'Retry',
  },
  someMissing: 'Some photos did not load.',

  grid: 'Files',
  columns: { name: 'Name', date: 'Date', size: 'Size', type: 'Type', location: 'Location' },
  kinds: { image: 'Photo', video: 'Video', live: 'Live Photo' },
  live: 'Live',
  noPreview: 'No preview',
  preparing: (percent: number | null) => (percent === null ? 'Preparing' : `Preparing ${percent}%`),
  couldNotPrepare: 'Could not be prepared',
  incomplete: incompleteMark,
  partlyDamaged: 'Partly damaged',
  position: (index: number, total: number) => `${formatCount(index + 1)} of ${formatCount(total)}`,
  scrubber: 'Jump to a month',
  unknownDay: 'Day not known',
  undated: {
    heading: 'Undated',
    remove: 'Show dated files, too',
    oneByOne: 'Date one by one',
    none: {
      title: 'Every file has a date',
      text: 'Files whose date nobody knows are listed here.',
      show: 'Show all photos',
    },
  },

  select: (name: string) => `Select ${name}`,
  selectDay: (day: string) => `Select all of ${day}`,
  more: (name: string) => `Actions for ${name}`,
  moreActions: 'More actions',
  selected: (count: number) => `${formatCount(count)} selected`,
  clearSelection: 'Clear selection',
  bulk: 'Selected files',
  choosingFailed: 'Failed to select files',

  open: 'Open',
  rename: {
    label: 'Rename',
    field: 'File name',
    success: 'File renamed successfully',
    failure: 'Failed to rename file',
  },
  share: 'Share by link',
  changePlace: 'Change place',
  /** Parts of these labels, for narrow screens. */
  short: {
    move: 'Move',
    tag: 'Tag',
    addToAlbum: 'Album',
    removeFromAlbum: 'Remove',
    share: 'Share',
  },
  move: 'Move to folder',
  tag: 'Add tag',
  changeDate: 'Change date…',
  addToAlbum: 'Add to album',
  removeFromAlbum: 'Remove from album',
  useAsCover: 'Use as cover',
  moveEarlier: 'Move earlier',
  moveLater: 'Move later',
  note: 'Add note',
  download: {
    label: 'Download',
    success: 'Download started',
    failure: 'Failed to download file',
    refused: (status: number) => `The storage answered with status ${status}.`,
  },
  rehash: {
    label: 'Rehash',
    hint: 'Checks that the originals are unchanged',
    title: (count: number) => `Rehash ${files(count)}?`,
    confirm: (name: string) =>
      `Are you sure you want to rehash "${name}"? The original is downloaded and compared with what the library holds.`,
    confirmMany: (count: number) =>
      `Are you sure you want to rehash ${formatCount(count)} selected ${count === 1 ? 'file' : 'files'}? The originals are downloaded and compared with what the library holds.`,
    success: (name: string) => `Successfully rehashed ${name}`,
    failure: (name: string) => `Failed to rehash ${name}`,
    noAddress: 'No signed URL available',
    downloadFailed: (status: number) => `Download failed with status ${status}`,
    emptyBody: 'Empty response body',
    unnamed: 'file',
    progress: 'Rehashing',
    done: (done: number, total: number) => `Rehashing: ${formatCount(done)} of ${files(total)}`,
    states: {
      waiting: 'Waiting',
      downloading: 'Downloading',
      hashing: 'Hashing',
      updating: 'Updating',
      completed: 'Completed',
      error: 'Failed',
    },
  },
  delete: {
    label: 'Delete',
    title: 'Delete this file?',
    confirm: (name: string, trashDays: number) =>
      `Are you sure you want to delete "${name}"? ${trashDays < 1 ? FOR_GOOD : `You can restore it from Recently deleted for ${days(trashDays)}.`}`,
    success: 'File deleted successfully',
    failure: 'Failed to delete file',
  },
  bulkDelete: {
    title: (count: number) => `Delete ${files(count)}?`,
    confirm: (count: number, trashDays: number) =>
      `Are you sure you want to delete ${formatCount(count)} selected ${count === 1 ? 'file' : 'files'}? ${
        trashDays < 1
          ? FOR_GOOD
          : `You can undo this, or restore ${count === 1 ? 'it' : 'them'} from Recently deleted for ${days(trashDays)}.`
      }`,
    success: (count: number) => `Successfully deleted ${files(count)}`,
    failure: 'Failed to delete files',
  },
} as const
