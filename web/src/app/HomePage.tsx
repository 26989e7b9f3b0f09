import { MoveFilesDialog } from '../folders/dialogs/MoveFilesDialog.tsx'
import { Folders } from '../folders/Folders.tsx'
import { useMoveFiles } from '../folders/queries.ts'
import { GalleryPage } from '../gallery/GalleryPage.tsx'
import { useGalleryAddress } from '../gallery/gallery-address.ts'
import { TagDialog } from '../tags/TagDialog.tsx'
import { PhotoViewer } from './PhotoViewer.tsx'
import { texts } from './texts.ts'
import { UploadButton } from './UploadButton.tsx'

/** The gallery, combined with folders, upload, tags and the viewer. */
export function HomePage() {
  const [{ folder }, change] = useGalleryAddress()
  const move = useMoveFiles()
  return (
    <GalleryPage
      panel={
        <Folders
          selected={folder ?? 'all'}
          onSelect={place => change({ folder: place === 'all' ? null : place })}
          onFilesDropped={(folderId, fileIds) => void move.run({ body: { fileIds, folderId } })}
        />
      }
      uploadButton={<UploadButton label={texts.uploadFiles} />}
      renderMove={request => <MoveFilesDialog {...request} />}
      renderTag={request => <TagDialog {...request} />}
      renderViewer={viewed => (
        <PhotoViewer
          viewed={viewed}
          onSearch={search => change({ search, folder: null, type: null, file: null, note: null })}
        />
      )}
    />
  )
}
