// Generated from the catalogues in messages/en by `npm run messages`.

export interface Messages {
  kit: {
    unreachable: string
    unexplained: string
    unreadable: string
    noFolder: string
    foldersFailed: string
    undo: string
    undone: string
    undoing: (values: { done: number; total: number }) => string
    doing: (values: { done: number; total: number }) => string
    doneInPart: (values: { done: number; total: number }) => string
    doneInPartUnknown: (values: { done: number; total: number; unknown: number }) => string
    doneInPartWithoutUndo: (values: { done: number; total: number; unknown: number }) => string
    undoneExcept: (values: { count: number }) => string
    undoneInPart: (values: { changed: number; unfinished: number }) => string
    undoFailed: string
    photos: (values: { count: number }) => string
    videos: (values: { count: number }) => string
    files: (values: { count: number }) => string
    photosAndVideos: (values: { photos: number; videos: number }) => string
    noPhotos: string
  }
  tags: {
    heading: string
    none: string
    loadFailed: string
    retry: string
    field: string
    placeholder: string
    add: {
      label: string
      success: string
      failure: string
    }
    remove: {
      label: (values: { tag: string }) => string
      success: string
      failure: string
    }
    search: (values: { tag: string }) => string
    suggestions: string
    dialog: {
      title: (values: { count: number }) => string
      cancel: string
    }
  }
}
