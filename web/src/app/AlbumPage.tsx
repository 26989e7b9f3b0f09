import { ImagePlus } from 'lucide-react'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { AlbumWithKinds } from '#contract/albums.ts'
import { IdInPath } from '#contract/common.ts'
import { listMedia, mediaIds, mediaPosition } from '#contract/media-list.ts'
import { AlbumHeader } from '../albums/AlbumHeader.tsx'
import { useAlbum, useOwnsAlbum, useRemoveFromAlbum, useReorderAlbum, useUpdateAlbum } from '../albums/queries.ts'
import { texts } from '../albums/texts.ts'
import { useFileActions } from '../gallery/actions/file-actions.ts'
import { useSearchWords } from '../gallery/filter-labels.ts'
import { type AlbumActions, Gallery } from '../gallery/Gallery.tsx'
import { choosingPath, editSearchPath, listOf, readAddress, useGalleryAddress } from '../gallery/gallery-address.ts'
import { WaitingNotice } from '../guest-uploads/WaitingNotice.tsx'
import { showFailure } from '../kit/action.ts'
import { ApiError, call } from '../kit/api.ts'
import { filterPath } from '../kit/filter-path.ts'
import { useCan } from '../kit/me.tsx'
import { usePageTitle } from '../kit/page-title.ts'
import { ShareDialog } from '../links/ShareDialog.tsx'
import { AlbumComments } from '../notes/AlbumComments.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { DownloadInPartsItem } from './DownloadInParts.tsx'
import { useAllowedDialogs } from './file-dialogs.tsx'
import { KeepMenuItem, KeptLine } from './keep/KeepOnDevice.tsx'
import { PhotoViewer } from './LazyPhotoViewer.tsx'

/** One album, combined with the gallery, the viewer and comments. */
export function AlbumPage() {
  const id = IdInPath.safeParse(useParams()).data?.id
  return id === undefined ? <NoSuchAlbum /> : <AlbumById key={id} id={id} />
}

function AlbumById({ id }: { id: number }) {
  const query = useAlbum(id)
  usePageTitle(query.data?.title ?? texts.page)
  if (query.error instanceof ApiError && query.error.status === 404) return <NoSuchAlbum />
  if (query.data === undefined) return <LoadingOrError query={query} texts={texts} />
  return <LoadedAlbum album={query.data} />
}

/** In the URL of the first file of a slideshow; the next file leaves it out. */
const PLAY = 'play'

function LoadedAlbum({ album }: { album: AlbumWithKinds }) {
  const { id, title, search, order } = album
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const [sharing, setSharing] = useState(false)
  const [collecting, setCollecting] = useState(false)
  const { downloadMany } = useFileActions()
  const mayShare = useCan('links.make')
  const mayFill = useCan('albums.edit') && search === null
  const list = listOf({ ...readAddress(new URLSearchParams()), album })
  const actions = useAlbumActions(album, list)
  const [inUrl, change] = useGalleryAddress()
  const address = useMemo(
    () => ({ ...inUrl, filter: { ...inUrl.filter, folder_id: undefined }, album: { id, order } }),
    [inUrl, id, order],
  )
  const dialogs = useAllowedDialogs()
  const searchWords = useSearchWords(search)

  async function play() {
    const { files } = await call(listMedia, { query: { ...list, limit: 1 } })
    if (files[0] === undefined) return
    setParams({ file: String(files[0].id), [PLAY]: '1' }, { preventScrollReset: true })
  }

  async function download() {
    await downloadMany(new Set((await call(mediaIds, { query: list })).ids), title)
  }

  const addPhotos = mayFill ? () => void navigate(choosingPath(id)) : undefined
  return (
    <>
      <AlbumHeader
        album={album}
        onPlay={() => void play().catch(error => showFailure(texts.loadFailed, error))}
        onDownload={() => void download().catch(error => showFailure(texts.loadFailed, error))}
        onAddPhotos={addPhotos}
        onShare={mayShare && album.file_count > 0 ? () => setSharing(true) : undefined}
        onCollect={mayShare && search === null ? () => setCollecting(true) : undefined}
        searchWords={searchWords}
        searchHref={search === null ? undefined : filterPath(search)}
        editSearchHref={search === null ? undefined : editSearchPath(id, search)}
        menuItems={
          <>
            {album.file_count > 0 && <DownloadInPartsItem list={list} title={title} />}
            <KeepMenuItem list={{ kind: 'album', id, name: title, files: album.file_count }} />
          </>
        }
      />
      <KeptLine list={{ kind: 'album', id }} />
      <WaitingNotice albumId={id} />
      <Gallery
        address={address}
        change={change}
        album={actions}
        empty={<EmptyAlbum smart={search !== null} onAddPhotos={addPhotos} />}
        dialogs={dialogs}
        renderViewer={viewed => (
          <Suspense fallback={null}>
            <PhotoViewer
              viewed={viewed}
              play={params.get(PLAY) !== null}
              onSearch={text => void navigate(filterPath({ search: text }))}
            />
          </Suspense>
        )}
      />
      {sharing && <ShareDialog album={album} onClose={() => setSharing(false)} />}
      {collecting && <ShareDialog uploadAlbum={album} onClose={() => setCollecting(false)} />}
      <AlbumComments albumId={id} creator={album.created_by.username} />
    </>
  )
}

/** What this person may do with the files of the album. */
function useAlbumActions(album: AlbumWithKinds, list: ReturnType<typeof listOf>): AlbumActions {
  const params = { id: album.id }
  const owns = useOwnsAlbum(album)
  const mayFill = useCan('albums.edit') && album.search === null
  const update = useUpdateAlbum(album)
  const remove = useRemoveFromAlbum()
  const reorder = useReorderAlbum()

  function put(fileIds: readonly number[], before: number | null) {
    if (!reorder.busy) void reorder.run({ params, body: { fileIds: [...fileIds], before } })
  }

  /** Asks for the neighbour: what the page shows may be out of date after the last step. */
  async function step(fileId: number, by: -1 | 1) {
    const { index } = await call(mediaPosition, { params: { id: fileId }, query: list })
    const offset = by === -1 ? index - 1 : index + 2
    if (offset < 0) return
    const { files, count } = await call(listMedia, { query: { ...list, offset, limit: 1 } })
    if (by === 1 && index === count - 1) return
    put([fileId], files[0]?.id ?? null)
  }
  return {
    captions: album.has_captions,
    remove: mayFill ? fileIds => remove.run({ params, body: { fileIds: [...fileIds] } }) : undefined,
    useAsCover: owns ? ({ id }) => void update.run({ params, body: { cover_id: id } }) : undefined,
    reordering:
      mayFill && album.order === 'manual'
        ? {
            put,
            step: ({ id }, by) => void step(id, by).catch(error => showFailure(texts.reorder.failure, error)),
          }
        : undefined,
  }
}

function EmptyAlbum({ smart, onAddPhotos }: { smart: boolean; onAddPhotos: (() => void) | undefined }): ReactNode {
  const { title, text } = smart ? texts.album.emptySmart : texts.album.empty
  return (
    <EmptyState title={title} text={text}>
      {onAddPhotos !== undefined && (
        <Button variant="primary" icon={<ImagePlus aria-hidden="true" className="size-5" />} onClick={onAddPhotos}>
          {texts.album.addPhotos}
        </Button>
      )}
    </EmptyState>
  )
}

function NoSuchAlbum() {
  const navigate = useNavigate()
  const { title, text, back } = texts.album.gone
  return (
    <EmptyState title={title} text={text} headingLevel="h1">
      <Button onClick={() => void navigate('/albums')}>{back}</Button>
    </EmptyState>
  )
}
