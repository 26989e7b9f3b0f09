export const texts = {
  heading: 'Tags',
  none: 'No tags yet.',
  loadFailed: 'Failed to load tags and notes',
  retry: 'Retry',
  field: 'Add a tag',
  placeholder: 'Add a tag…',
  add: { label: 'Add', success: 'Tag added successfully', failure: 'Failed to add tag' },
  remove: {
    label: (tag: string) => `Remove tag ${tag}`,
    success: 'Tag removed successfully',
    failure: 'Failed to remove tag',
  },
  search: (tag: string) => `Show all files tagged ${tag}`,
  suggestions: "The family's tags",
  dialog: {
    title: (count: number) => (count === 1 ? 'Tag this file' : `Tag ${count} files`),
    cancel: 'Cancel',
  },
} as const
