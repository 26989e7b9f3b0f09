/** The words for notes on files, or for comments on albums. */
export interface KindTexts {
  new: string
  newLabel: string
  field: string
  edit: { label: (author: string) => string }
  delete: { label: (author: string) => string; title: string; confirm: string; button: string }
}

export const texts = {
  retry: 'Retry',
  placeholder: 'What is the story? Use @username to mention someone',
  save: 'Save',
  cancel: 'Cancel',
  edited: 'edited',
  unsaved: 'Your changes are kept here, but not saved yet. Press Edit to go on.',
  notes: {
    heading: 'Notes',
    none: 'Nobody has written anything yet. Who is on it, where was it, what happened next?',
    loadFailed: 'Failed to load tags and notes',
    earlier: 'Show earlier notes',
    new: 'Add note',
    newLabel: 'New note',
    field: 'Note',
    add: { success: 'Note added successfully', failure: 'Failed to add note' },
    edit: {
      label: (author: string) => `Edit the note of ${author}`,
      success: 'Note updated successfully',
      failure: 'Failed to update note',
    },
    delete: {
      label: (author: string) => `Delete the note of ${author}`,
      title: 'Delete note?',
      button: 'Delete',
      confirm: 'Are you sure you want to delete this note?',
      success: 'Note deleted successfully',
      failure: 'Failed to delete note',
    },
  },
  comments: {
    heading: 'Comments',
    none: 'Nobody has written anything yet. What do you remember of it?',
    loadFailed: 'Failed to load comments',
    earlier: 'Show earlier comments',
    new: 'Add comment',
    newLabel: 'Comment',
    field: 'Comment',
    add: { success: 'Comment added', failure: 'Failed to add comment' },
    edit: {
      label: (author: string) => `Edit the comment of ${author}`,
      success: 'Comment changed',
      failure: 'Failed to change comment',
    },
    delete: {
      label: (author: string) => `Delete the comment of ${author}`,
      title: 'Delete comment?',
      button: 'Delete',
      confirm: 'Are you sure you want to delete this comment?',
      success: 'Comment deleted',
      failure: 'Failed to delete comment',
    },
  },
} as const
