import { formatCount } from '../kit/format.ts'

function files(count: number): string {
  return count === 1 ? '1 file' : `${formatCount(count)} files`
}

export const texts = {
  title: 'Folders',
  close: 'Close folders',
  all: 'All Files (Root)',
  /** The accessible name of an item in the folder tree. */
  line: (name: string, count: number | undefined) => (count === undefined ? name : `${name}, ${files(count)}`),
  files,
  breadcrumb: 'Path to this folder',
  up: (folder: string) => `Up to ${folder}`,
  foldersIn: (name: string) => `Folders in ${name}`,
  showAllFolders: (count: number) => `Show all ${formatCount(count)} folders`,
  loading: 'Loading…',
  retry: 'Retry',
  none: 'No folders yet. Make one for a journey, a year, or a person.',
  noneForViewers: 'No folders yet.',
  actions: (name: string) => `Actions for ${name}`,
  nameMissing: 'Please enter a folder name',
  rootLevel: 'Root Level',
  cancel: 'Cancel',

  create: {
    label: 'New Folder',
    within: 'New folder inside',
    name: 'Folder Name',
    parent: 'Parent Folder',
    confirm: 'Create Folder',
    success: 'Folder created successfully',
    failure: 'Failed to create folder',
  },
  update: { success: 'Folder updated successfully', failure: 'Failed to update folder' },
  rename: {
    label: 'Rename',
    of: (name: string) => `Rename ${name}`,
    field: 'Folder Name',
    save: 'Save',
    cancel: 'Cancel',
  },
  delete: {
    title: 'Delete folder?',
    label: 'Delete',
    confirm: (name: string) =>
      `Are you sure you want to delete the folder "${name}"? This will move all files in this folder to the root level.`,
    success: 'Folder deleted successfully',
    failure: 'Failed to delete folder',
  },
  moveFolder: { label: 'Move to…', title: (name: string) => `Move “${name}”` },
  moveFiles: {
    title: (count: number) => `Move ${files(count)}`,
    root: 'root',
    success: (count: number, folder: string) => `Successfully moved ${files(count)} to ${folder}`,
    failure: 'Failed to move files',
  },
  destination: {
    label: 'Destination',
    confirm: 'Move',
    isHere: 'is here now',
    search: 'Search folders',
    clearSearch: 'Clear search',
    found: (count: number) => (count === 1 ? '1 folder found' : `${formatCount(count)} folders found`),
    noneFound: 'No folder is called that.',
  },
} as const
