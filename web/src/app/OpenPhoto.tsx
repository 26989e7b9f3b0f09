import type { ViewedFile } from '../gallery/OpenedFile.tsx'
import { Notes } from '../notes/Notes.tsx'
import { useFirstNote } from '../notes/queries.ts'
import { Tags } from '../tags/Tags.tsx'
import { Viewer } from '../viewer/Viewer.tsx'

interface Props {
  viewed: ViewedFile
  onSearch: (text: string) => void
}

/** The viewer with what other features know of the photo in it. */
export function OpenPhoto({ viewed: { note, ...viewed }, onSearch }: Props) {
  const { id } = viewed
  return (
    <Viewer
      {...viewed}
      alternative={useFirstNote(id)}
      panelFirst={note !== null}
      notes={<Notes key={id} fileId={id} pointed={note} />}
      tags={<Tags fileId={id} onSearch={onSearch} />}
    />
  )
}
