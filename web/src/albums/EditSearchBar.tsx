import { useNavigate } from 'react-router'
import { type Album, AlbumSearch } from '#contract/albums.ts'
import { Button } from '../ui/Button.tsx'
import { Dock } from '../ui/Dock.tsx'
import { albumPath } from './album-path.ts'
import { useUpdateAlbum } from './queries.ts'
import { texts } from './texts.ts'

/** In the gallery, while its filters are chosen for a smart album. */
export function EditSearchBar({ album, search }: { album: Album; search: AlbumSearch }) {
  const navigate = useNavigate()
  const update = useUpdateAlbum(album)
  const { id, title } = album
  const isSearch = AlbumSearch.safeParse(search).success

  // Replaced, so that Back does not start editing again.
  const leave = () => navigate(albumPath(id), { replace: true })
  async function save() {
    if (await update.run({ params: { id }, body: { search } })) void leave()
  }
  return (
    <Dock open label={texts.editSearch.bar({ title })}>
      <Button variant="bare" onClick={() => void leave()}>
        {texts.form.cancel}
      </Button>
      <p role="status" className="line-clamp-2 min-w-0 flex-1 text-small sm:text-base" dir="auto">
        {isSearch ? texts.editSearch.bar({ title }) : texts.editSearch.nothing}
      </p>
      {isSearch && (
        <Button variant="primary" busy={update.busy} onClick={() => void save()}>
          {texts.form.save}
        </Button>
      )}
    </Dock>
  )
}
