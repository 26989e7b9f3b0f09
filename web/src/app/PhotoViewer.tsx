import { Heart, MessageCircle, Share2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { AlbumsOfFile } from '../albums/AlbumsOfFile.tsx'
import { SendToChat } from '../chat/share/SendToChat.tsx'
import { useHeart } from '../hearts/HeartButton.tsx'
import { useHeartsOf, useSetHeart } from '../hearts/hearts.ts'
import { LovedBy } from '../hearts/LovedBy.tsx'
import { texts as heartTexts } from '../hearts/texts.ts'
import { formatCount } from '../kit/format.ts'
import { QuickShare } from '../links/QuickShare.tsx'
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
  /** Starts a slideshow when it opens. */
  play?: boolean
  /** More items of the menu. */
  menuItems?: ReactNode
}

/** The viewer, with the keys, buttons and sections of all features. */
export function PhotoViewer({ viewed: { note, ...viewed }, onSearch, play = false, menuItems }: Props) {
  const { id } = viewed
  const { hearted } = useHeartsOf(id)
  const setHeart = useSetHeart()
  const onHeart = setHeart && (() => setHeart(id, !hearted))
  return (
    <Viewer
      {...viewed}
      alternative={useFirstNote(id)}
      openPanel={note !== null}
      play={play}
      extraKeys={viewed.file && onHeart ? { f: onHeart } : {}}
      extraItems={menuItems}
      extraActions={
        viewed.file && (
          <>
            {onHeart !== undefined && <ViewerHeart fileId={id} onClick={onHeart} />}
            <SendToChat
              file={viewed.file}
              renderTrigger={open => (
                <ViewerButton label={texts.sendToChat} aria-haspopup="dialog" onClick={open}>
                  <MessageCircle aria-hidden="true" className="size-5" />
                </ViewerButton>
              )}
            />
            <QuickShare file={viewed.file} renderTrigger={props => <ShareButton {...props} />} />
          </>
        )
      }
      sections={
        <>
          <LovedBy fileId={id} />
          <Notes key={id} fileId={id} highlighted={note} />
          <Tags fileId={id} onSearch={onSearch} />
          <AlbumsOfFile fileId={id} />
        </>
      }
    />
  )
}

/** A menu adds its own properties to its trigger. */
function ShareButton(props: object) {
  return (
    <ViewerButton {...props} label={texts.share} tooltip={texts.shareTooltip}>
      <Share2 aria-hidden="true" className="size-5" />
    </ViewerButton>
  )
}

/** The tooltip says who loves it. */
function ViewerHeart({ fileId, onClick }: { fileId: number; onClick: () => void }) {
  const { hearted, count, act, lovedBy, label } = useHeart(fileId)
  const tooltip = [`${act} (f)`, lovedBy].filter(Boolean).join('. ')
  return (
    <ViewerButton label={label} shortLabel={heartTexts.favourites} tooltip={tooltip} onClick={onClick}>
      <span className="heart-count flex items-center gap-1 text-small" data-count={count > 0 ? formatCount(count) : ''}>
        <Heart aria-hidden="true" className={`size-5 ${hearted ? 'hearted-on-dark' : ''}`} />
      </span>
    </ViewerButton>
  )
}
