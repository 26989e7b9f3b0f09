import { MessageCircle } from 'lucide-react'
import { SendToChat } from '../chat/share/SendToChat.tsx'
import type { ViewedFile } from '../media/viewed-file.ts'
import { Notes } from '../notes/Notes.tsx'
import { useFirstNote } from '../notes/queries.ts'
import { Tags } from '../tags/Tags.tsx'
import { Viewer } from '../viewer/Viewer.tsx'
import { ViewerButton } from '../viewer/ViewerButton.tsx'
import { texts } from './texts.ts'

interface Props {
  viewed: ViewedFile
  onSearch: (text: string) => void
}

/** The viewer, combined with notes, tags and chat. */
export function PhotoViewer({ viewed: { note, ...viewed }, onSearch }: Props) {
  const { id } = viewed
  return (
    <Viewer
      {...viewed}
      alternative={useFirstNote(id)}
      openPanel={note !== null}
      extraActions={
        viewed.file && (
          <SendToChat
            file={viewed.file}
            renderTrigger={open => (
              <ViewerButton label={texts.sendToChat} aria-haspopup="dialog" onClick={open}>
                <MessageCircle aria-hidden="true" className="size-5" />
              </ViewerButton>
            )}
          />
        )
      }
      notes={<Notes key={id} fileId={id} highlighted={note} />}
      tags={<Tags fileId={id} onSearch={onSearch} />}
    />
  )
}
