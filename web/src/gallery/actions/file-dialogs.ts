import { type ReactNode, useState } from 'react'

export interface FilesRequest {
  fileIds: readonly number[]
  onClose: () => void
  /** They have been moved, or added to an album. */
  onMoved: () => void
}

type Kind = 'move' | 'tag' | 'date' | 'place' | 'share' | 'addToAlbum'

/** Dialogs of other features that change files; absent ones are those that the person may not use. */
export type FileDialogs = Partial<Record<Kind, (request: FilesRequest) => ReactNode>>

/** One dialog is open at a time. */
export function useFileDialogs(dialogs: FileDialogs, onMoved: (fileIds: readonly number[]) => void) {
  const [opened, setOpened] = useState<{ kind: Kind; fileIds: readonly number[] } | null>(null)

  const opener = (kind: Kind) => dialogs[kind] && ((fileIds: readonly number[]) => setOpened({ kind, fileIds }))
  return {
    open: {
      move: opener('move'),
      tag: opener('tag'),
      date: opener('date'),
      place: opener('place'),
      share: opener('share'),
      addToAlbum: opener('addToAlbum'),
    },
    dialog:
      opened !== null &&
      dialogs[opened.kind]?.({
        fileIds: opened.fileIds,
        // Another one may have been opened by now.
        onClose: () => setOpened(now => (now === opened ? null : now)),
        onMoved: () => onMoved(opened.fileIds),
      }),
  }
}
