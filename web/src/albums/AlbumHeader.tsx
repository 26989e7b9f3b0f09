import './albums.css'
import {
  ChevronRight,
  Download,
  EllipsisVertical,
  ImagePlus,
  Inbox,
  Link2,
  ListFilter,
  PencilLine,
  Play,
  Search,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { AlbumOrder, type AlbumWithKinds } from '#contract/albums.ts'
import { formatKinds } from '../kit/format.ts'
import { useAppSettings } from '../kit/settings.ts'
import { texts as kitTexts } from '../kit/texts.ts'
import { Button } from '../ui/Button.tsx'
import { confirmInDialog } from '../ui/confirm.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '../ui/Menu.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { AlbumCover } from './AlbumCover.tsx'
import { EditAlbumDialog } from './AlbumDialogs.tsx'
import { formatDates } from './format.ts'
import { useDeleteAlbum, useOwnsAlbum, useUpdateAlbum } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  album: AlbumWithKinds
  onPlay: () => void
  onDownload: () => void
  /** Absent where the person may not add photos, and in smart albums. */
  onAddPhotos: (() => void) | undefined
  /** Absent where the person may not make links. */
  onShare: (() => void) | undefined
  /** Makes a link by which guests send photos; absent in smart albums, too. */
  onCollect: (() => void) | undefined
  /** The search of a smart album in words; undefined while they are loading. */
  searchWords: string | undefined
  /** The gallery with the search of a smart album. */
  searchHref: string | undefined
  /** The gallery where the search of a smart album is changed. */
  editSearchHref: string | undefined
  /** More items of the menu. */
  menuItems: ReactNode
}

const icon = 'size-5'
/** On a phone, a longer one in large letters would leave no room for photos. */
const LONG_TITLE = 40

/** Cover, title, dates and text of an album, and what can be done with it. */
export function AlbumHeader({
  album,
  onPlay,
  onDownload,
  onAddPhotos,
  onShare,
  onCollect,
  searchWords,
  ...hrefs
}: Props) {
  const { title, description, file_count, video_count, search, created_by } = album
  const kinds = formatKinds(file_count - video_count, video_count)
  const facts = [formatDates(album), kinds, texts.album.madeBy({ name: created_by.name })].filter(Boolean)
  const isOwn = useOwnsAlbum(album)
  const roomy = useScreen('sm')
  const layout = { wide: !roomy, textBelow: !roomy }
  return (
    <header>
      <nav aria-label={texts.album.breadcrumb} className="-ml-2 text-small">
        <ol className="flex min-w-0 items-center text-ink-soft">
          <li className="flex items-center">
            <Link
              to="/albums"
              className="inline-flex min-h-8 items-center rounded-control px-2 hover:text-ink hover:underline pointer-coarse:min-h-touch"
            >
              {texts.heading}
            </Link>
            <ChevronRight aria-hidden="true" className="size-4 shrink-0" />
          </li>
          <li aria-current="page" className="truncate px-2" dir="auto">
            {title}
          </li>
        </ol>
      </nav>
      <div className={album.cover === null ? 'my-4 flex flex-col gap-2' : 'album-head'}>
        {album.cover !== null && <AlbumCover album={album} large className="album-head-cover" />}
        <div className="album-head-title flex min-w-0 flex-col gap-2 rail:gap-1">
          <h1
            className={`wrap-anywhere font-semibold rail:text-lead ${title.length > LONG_TITLE ? 'text-lead sm:text-heading' : 'text-heading sm:text-title'}`}
            dir="auto"
          >
            {title}
          </h1>
          <p className="text-ink-soft max-sm:text-small">{facts.join(' · ')}</p>
          {album.order === 'manual' && onAddPhotos !== undefined && file_count > 1 && (
            <p className="pointer-coarse:hidden text-ink-soft text-small">{texts.order.hint}</p>
          )}
          {search !== null && (
            <p className="flex flex-wrap items-center gap-x-3 text-ink-soft text-small">
              <span className="wrap-anywhere" dir="auto">
                {texts.album.fillsItself({ search: searchWords ?? '…' })}
              </span>
              {isOwn && hrefs.editSearchHref !== undefined && (
                <Link
                  to={hrefs.editSearchHref}
                  className="inline-flex min-h-7 items-center text-accent underline rail:hidden pointer-coarse:min-h-touch"
                >
                  {texts.editSearch.label}
                </Link>
              )}
            </p>
          )}
        </div>
        <div className="album-head-text flex min-w-0 flex-col gap-2">
          {description !== '' && <AlbumText key={description} text={description} />}
          <div className="flex items-center gap-2 sm:mt-1 sm:flex-wrap">
            {onAddPhotos !== undefined && (
              <Button
                {...layout}
                variant={file_count === 0 ? 'primary' : 'quiet'}
                icon={<ImagePlus aria-hidden="true" className={icon} />}
                onClick={onAddPhotos}
              >
                {texts.album.addPhotos}
              </Button>
            )}
            {file_count > 1 && (
              <Button {...layout} icon={<Play aria-hidden="true" className={icon} />} onClick={onPlay}>
                {texts.album.slideshow}
              </Button>
            )}
            {onShare !== undefined && (
              <Button {...layout} icon={<Link2 aria-hidden="true" className={icon} />} onClick={onShare}>
                {texts.album.share}
              </Button>
            )}
            <AlbumMenu
              album={album}
              {...hrefs}
              onCollect={onCollect}
              onDownload={file_count > 0 ? onDownload : undefined}
            />
          </div>
        </div>
      </div>
    </header>
  )
}

/** On a phone only its beginning, until somebody asks for the rest: the photos are below it. */
function AlbumText({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)
  const measure = useCallback((shown: HTMLElement | null) => {
    if (shown === null) return
    const observer = new ResizeObserver(() => setCut(shown.scrollHeight > shown.clientHeight + 1))
    observer.observe(shown)
    return () => observer.disconnect()
  }, [])
  return (
    <div>
      <p ref={measure} className={`album-text ${open ? '' : 'rail:line-clamp-1 tabs:line-clamp-2'}`} dir="auto">
        {text}
      </p>
      {(open || isCut) && (
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="album-text-more">
          {open ? texts.album.lessText : texts.album.moreText}
        </button>
      )}
    </div>
  )
}

interface MenuProps extends Pick<Props, 'album' | 'searchHref' | 'editSearchHref' | 'onCollect' | 'menuItems'> {
  onDownload: (() => void) | undefined
}

function AlbumMenu({ album, searchHref, editSearchHref, onCollect, onDownload, menuItems }: MenuProps) {
  const { id, title, order, search, cover } = album
  const [editing, setEditing] = useState(false)
  const navigate = useNavigate()
  const isOwn = useOwnsAlbum(album)
  const update = useUpdateAlbum(album)
  const remove = useDeleteAlbum()
  const { trashDays } = useAppSettings()
  if (!isOwn && searchHref === undefined && onDownload === undefined && onCollect === undefined) return null

  async function deleteIt() {
    const { title: heading, confirm, button } = texts.delete
    const question = confirm({ title })
    const text = trashDays < 1 ? question : kitTexts.canUndo({ question })
    if (!(await confirmInDialog({ title: heading, text, label: button }))) return
    await remove.run({ params: { id } }, { whenDone: () => void navigate('/albums') })
  }
  const orders = AlbumOrder.options.filter(choice => choice !== 'manual' || search === null)
  return (
    <>
      <Menu
        trigger={
          <IconButton label={texts.album.more}>
            <EllipsisVertical aria-hidden="true" className={icon} />
          </IconButton>
        }
      >
        {onDownload !== undefined && (
          <MenuItem icon={<Download aria-hidden="true" className={icon} />} onClick={onDownload}>
            {texts.album.download}
          </MenuItem>
        )}
        {menuItems}
        {onCollect !== undefined && (
          <MenuItem icon={<Inbox aria-hidden="true" className={icon} />} onClick={onCollect}>
            {texts.album.collect}
          </MenuItem>
        )}
        {searchHref !== undefined && (
          <MenuLink link={<Link to={searchHref} />} icon={<Search aria-hidden="true" className={icon} />}>
            {texts.album.showSearch}
          </MenuLink>
        )}
        {isOwn && (
          <>
            <MenuItem icon={<PencilLine aria-hidden="true" className={icon} />} onClick={() => setEditing(true)}>
              {texts.edit.label}
            </MenuItem>
            {editSearchHref !== undefined && (
              <MenuLink link={<Link to={editSearchHref} />} icon={<ListFilter aria-hidden="true" className={icon} />}>
                {texts.editSearch.label}
              </MenuLink>
            )}
            {cover?.chosen && (
              <MenuItem
                icon={<ImagePlus aria-hidden="true" className={icon} />}
                onClick={() => void update.run({ params: { id }, body: { cover_id: null } })}
              >
                {texts.cover.clear}
              </MenuItem>
            )}
            <MenuSeparator />
            <MenuChoice
              label={texts.order.label}
              value={order}
              choices={orders.map(value => ({ value, label: texts.order.choices[value] }))}
              onChoose={value => void update.run({ params: { id }, body: { order: value } })}
              closes
            />
            <MenuSeparator />
            <MenuItem
              icon={<Trash2 aria-hidden="true" className={`${icon} text-danger`} />}
              onClick={() => void deleteIt()}
            >
              {texts.delete.label}
            </MenuItem>
          </>
        )}
      </Menu>
      {editing && <EditAlbumDialog album={album} onClose={() => setEditing(false)} />}
    </>
  )
}
