import { Folders } from '../folders/Folders.tsx'
import { useMoveFiles } from '../folders/queries.ts'
import { placesBelowFolders, placesInOrder } from './features.ts'
import { PlaceLinks } from './Places.tsx'
import { texts } from './texts.ts'
import { useCurrentPlace } from './use-current-place.ts'

/** The navigation of every page for signed-in people, but on phones, which have tabs. Its lower part is the folder panel. */
export function NavigationRail() {
  const { folder, selectFolder } = useCurrentPlace()
  const move = useMoveFiles()
  return (
    <nav aria-label={texts.libraryNavigation} className="navigation-rail">
      <PlaceLinks places={placesInOrder} />
      <Folders
        selected={folder}
        onSelect={selectFolder}
        onFilesDropped={(folderId, fileIds) => void move.run({ body: { fileIds, folderId } })}
      />
      <PlaceLinks places={placesBelowFolders} />
    </nav>
  )
}
