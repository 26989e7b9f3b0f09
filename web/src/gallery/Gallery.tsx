import './gallery.css'
import { useQueryClient } from '@tanstack/react-query'
import {
  ArrowLeft,
  ArrowRight,
  BookImage,
  BookMinus,
  CalendarClock,
  Download,
  Expand,
  FolderInput,
  ImageUp,
  Link2,
  type LucideIcon,
  MapPin,
  PencilLine,
  ShieldCheck,
  StickyNote,
  Tag,
  Trash2,
} from 'lucide-react'
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { AlbumSearch } from '#contract/albums.ts'
import { getMedia } from '#contract/media.ts'
import { isPersonal } from '#contract/media-filter.ts'
import { useHeartSelected } from '../hearts/heart-selected.ts'
import { useSetHeart } from '../hearts/hearts.ts'
import { useCan } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { useDownloadInParts } from '../media/chosen-download.ts'
import type { NamedFile, ViewedFile } from '../media/viewed-file.ts'
import { bottomBarHeight } from '../ui/Dock.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { type BulkAction, BulkBar } from './actions/BulkBar.tsx'
import { type Choosing, ChoosingBar } from './actions/ChoosingBar.tsx'
import { FileMenu, type FileMenuAction, type FileMenuTarget } from './actions/FileMenu.tsx'
import { useFileActions } from './actions/file-actions.ts'
import { type FileDialogs, useFileDialogs } from './actions/file-dialogs.ts'
import { RehashProgress } from './actions/RehashProgress.tsx'
import { useOwnScrollRestoration } from './browser/anchored-viewport.ts'
import { type BrowserHandle, FileBrowser } from './browser/FileBrowser.tsx'
import type { ChangeRenaming, Renaming } from './browser/RenameField.tsx'
import type { Reordering } from './browser/reorder.ts'
import { useListTimeline } from './files/queries.ts'
import {
  type ChangeAddress,
  favouritesOf,
  type GalleryAddress,
  isFiltered,
  listOf,
  sortedBy,
} from './gallery-address.ts'
import { FilterBanner, ListHeading } from './ListHeading.tsx'
import { NoFiles, NoSuchFolder } from './ListStates.tsx'
import type { DensitySteps } from './layout/list-layout.ts'
import { OpenedFile, useOpenFile } from './OpenedFile.tsx'
import { useGalleryKeys, useSelection } from './selection.ts'
import { type GalleryHead, Toolbar } from './Toolbar.tsx'
import { texts } from './texts.ts'
import { useUnderstoodSearch } from './understood/understood-search.ts'
import { useViewPreference } from './view-preference.ts'

export interface SaveRequest {
  search: AlbumSearch
  onClose: () => void
}

/** What can be done in the album that is shown. */
export interface AlbumActions {
  /** Resolves to whether it worked. */
  remove: ((fileIds: readonly number[]) => Promise<boolean>) | undefined
  useAsCover: ((file: NamedFile) => void) | undefined
  reordering: Reordering | undefined
  /** Whether there is room for captions below the photos. */
  captions: boolean
}

export interface GalleryProps {
  address: GalleryAddress
  change: ChangeAddress
  /** Name of the open folder; null if it was deleted, undefined if none is open or it is not loaded yet. */
  folder?: string | null | undefined
  /** The way up from the open folder: each folder above it, or with `compact` only the one above. */
  renderPath?: ((compact: boolean) => ReactNode) | undefined
  subfolders?: ReactNode
  head?: GalleryHead
  /** Above the files. */
  top?: ReactNode
  /** What is shown if there are no files at all. */
  empty: ReactNode
  renderViewer: (viewed: ViewedFile) => ReactNode
  dialogs: FileDialogs
  /** The dialog that saves the filter as an album. */
  renderSave?: ((request: SaveRequest) => ReactNode) | undefined
  /** Absent outside an album. */
  album?: AlbumActions
  /** Whether it is beside something else, and not as wide as the screen. */
  narrow?: boolean
  /** Present while photos are being chosen for an album. */
  choosing?: Choosing | undefined
  /** In place of the bar for selected files, while none is selected. */
  bar?: ReactNode
}

/** The list of files with everything that can be done in it. */
export function Gallery({ address, change, folder, empty, narrow = false, ...props }: GalleryProps) {
  const { head, top, renderPath, subfolders, renderViewer, dialogs, renderSave, album, choosing, bar } = props
  const inAlbum = address.album !== null
  const toolbar = useRef<HTMLDivElement>(null)
  const browser = useRef<BrowserHandle>(null)
  const [menu, setMenu] = useState<FileMenuTarget | null>(null)
  const [renaming, setRenaming] = useState<Renaming | null>(null)
  const [saving, setSaving] = useState(false)
  const { view, density, setDensity } = useViewPreference({ inAlbum })
  const { shown, pending } = useUnderstoodSearch(address)
  const timeline = useListTimeline(listOf(shown), view === 'proportions')
  const selection = useSelection(listOf(shown), timeline.dataUpdatedAt, choosing !== undefined)
  const actions = useFileActions()
  const { open, dialog } = useFileDialogs(dialogs, selection.deselect)
  const setHeart = useSetHeart()
  const heartSelected = useHeartSelected(selection)
  const mayEdit = useCan('media.edit')
  const client = useQueryClient()
  const [densitySteps, setDensitySteps] = useState<DensitySteps>({ smaller: false, larger: false })
  const viewing = useOpenFile(address, change, browser)
  useGalleryKeys(selection)
  useOwnScrollRestoration()
  const [wide, roomy] = [useScreen('lg') && !narrow, useScreen('sm') && !narrow]

  const toolbarBottom = useStickyBottom(toolbar)
  const insets = useCallback(() => ({ top: toolbarBottom(), bottom: bottomBarHeight() }), [toolbarBottom])
  const changeDensity = useCallback((steps: 1 | -1) => browser.current?.changeDensity(steps), [])
  const rename = useCallback((file: NamedFile) => setRenaming({ id: file.id, startedAt: performance.now() }), [])
  // Another rename may have started by now.
  const changeRenaming: ChangeRenaming = useCallback(({ startedAt }, change) => {
    setRenaming(now => (now?.startedAt === startedAt ? change && { ...now, ...change } : now))
  }, [])

  async function deleteSelected() {
    const { ids } = selection
    if (await actions.deleteMany(ids)) selection.deselect(ids)
  }

  async function removeFromAlbum(fileIds: readonly number[]) {
    if (await album?.remove?.(fileIds)) selection.deselect(fileIds)
  }

  async function openMenuOfSelected(anchor: Element) {
    const [id] = selection.ids
    const file = id === undefined ? undefined : await actions.find(id)
    if (file !== undefined) setMenu({ file, anchor })
  }

  const menuActions: FileMenuAction[] = [
    { label: texts.open, icon: Expand, run: viewing.open },
    ...(mayEdit ? [{ label: texts.rename.label, icon: PencilLine, run: rename }] : []),
    ...actionOnOne(texts.move, FolderInput, open.move),
    ...actionOnOne(texts.tag, Tag, open.tag),
    ...actionOnOne(texts.changeDate, CalendarClock, open.date),
    ...actionOnOne(texts.changePlace, MapPin, open.place),
    ...actionOnOne(texts.addToAlbum, BookImage, open.addToAlbum),
    ...(album?.useAsCover ? [{ label: texts.useAsCover, icon: ImageUp, run: album.useAsCover }] : []),
    ...(album?.reordering ? reorderActions(album.reordering) : []),
    ...actionOnOne(texts.removeFromAlbum, BookMinus, album?.remove && removeFromAlbum),
    { label: texts.note, icon: StickyNote, run: viewing.writeNote },
    ...actionOnOne(texts.share, Link2, open.share),
    { label: texts.download.label, icon: Download, run: file => void actions.download(file) },
    ...(mayEdit
      ? [
          {
            label: texts.delete.label,
            icon: Trash2,
            destructive: true,
            run: (file: NamedFile) => void actions.delete(file),
          },
        ]
      : []),
  ]
  const onSelected = (act: ActOnFiles, action: Omit<BulkAction, 'run'>): BulkAction[] =>
    act ? [{ ...action, run: () => void act([...selection.ids]) }] : []
  const { short } = texts
  const downloadInParts = useDownloadInParts()
  const bulkActions: BulkAction[] = [
    ...onSelected(open.move, { label: texts.move, shortLabel: short.move, icon: FolderInput }),
    ...onSelected(open.tag, { label: texts.tag, shortLabel: short.tag, icon: Tag }),
    ...onSelected(open.addToAlbum, { label: texts.addToAlbum, shortLabel: short.addToAlbum, icon: BookImage }),
    ...onSelected(album?.remove && removeFromAlbum, {
      label: texts.removeFromAlbum,
      shortLabel: short.removeFromAlbum,
      icon: BookMinus,
    }),
    ...onSelected(open.share, { label: texts.share, shortLabel: short.share, icon: Link2 }),
    ...(heartSelected === undefined ? [] : [heartSelected]),
    {
      label: texts.download.label,
      shortLabel: short.download,
      icon: Download,
      run: () => void actions.downloadMany(selection.ids),
    },
    ...onSelected(mayEdit ? deleteSelected : undefined, {
      label: texts.delete.label,
      icon: Trash2,
      destructive: true,
      busy: actions.deletingMany,
    }),
  ]
  const rareActions: BulkAction[] = [
    {
      label: texts.download.inParts,
      icon: Download,
      run: () => downloadInParts({ fileIds: [...selection.ids], title: texts.download.selection }),
    },
    ...onSelected(open.date, { label: texts.changeDate, icon: CalendarClock }),
    ...onSelected(open.place, { label: texts.changePlace, icon: MapPin }),
    ...onSelected(mayEdit ? () => actions.rehashMany(selection.ids) : undefined, {
      label: texts.rehash.label,
      hint: texts.rehash.hint,
      icon: ShieldCheck,
    }),
  ]
  const { data } = timeline
  const heading = (
    <div className="list-heading">
      {renderPath?.(!wide)}
      <ListHeading address={address} folder={folder} count={data?.total} />
    </div>
  )
  // What somebody loves is an album, too. Where the banner takes the place of the heading, it is for filters only.
  const isLoved = wide && favouritesOf(address) !== null && data?.total !== 0
  // Choosing for an album has its own Save.
  const savable = address.addTo === null && !isPersonal(shown.filter) && (isFiltered(address) || isLoved)
  const onSave = savable ? renderSave && (() => setSaving(true)) : undefined
  const banner = <FilterBanner address={address} change={change} timeline={timeline} onSave={onSave} />
  return (
    <>
      <div
        ref={toolbar}
        hidden={inAlbum && data?.total === 0 && !isFiltered(address)}
        data-filtered={isFiltered(address) || undefined}
        className="gallery-toolbar"
      >
        <Toolbar
          address={address}
          change={change}
          busy={timeline.isPlaceholderData}
          densitySteps={densitySteps}
          onDensity={changeDensity}
          narrow={narrow}
          head={head}
          heading={heading}
          banner={banner}
        />
      </div>
      {head === undefined && !roomy && heading}
      {top}
      {subfolders}
      {folder === null ? (
        <NoSuchFolder change={change} />
      ) : data === undefined || (data.total === 0 && pending) ? (
        <LoadingOrError query={timeline} texts={texts} />
      ) : data.total === 0 ? (
        <NoFiles address={address} change={change} empty={empty} />
      ) : (
        <FileBrowser
          ref={browser}
          timeline={data}
          timelineReadAt={timeline.dataUpdatedAt}
          settled={!timeline.isPlaceholderData}
          view={view}
          density={density}
          onDensity={setDensity}
          onDensitySteps={setDensitySteps}
          names={address.names}
          captions={album?.captions ?? false}
          selection={selection}
          actions={{
            open: viewing.open,
            prefetch: ({ id }) =>
              void client.prefetchQuery({ ...query(getMedia, { params: { id } }), staleTime: 5_000 }),
            openMenu: (file, anchor) => setMenu({ file, anchor }),
            heart: setHeart && (({ id, hearted }) => setHeart(id, !hearted)),
            edit: mayEdit
              ? {
                  rename,
                  delete: file => void (selection.ids.has(file.id) ? deleteSelected() : actions.delete(file)),
                }
              : undefined,
            reordering: album?.reordering,
          }}
          renaming={renaming}
          onRenaming={changeRenaming}
          onSort={
            inAlbum || address.filter.memory !== undefined ? undefined : field => change(sortedBy(address, field))
          }
          onReverse={() => change({ order: address.order === 'asc' ? 'desc' : 'asc' })}
          insets={insets}
        />
      )}
      <FileMenu target={menu} actions={menuActions} onClose={() => setMenu(null)} />
      {choosing !== undefined ? (
        <ChoosingBar fileIds={selection.ids} {...choosing} />
      ) : bar !== undefined && selection.ids.size === 0 ? (
        bar
      ) : (
        <BulkBar
          count={selection.ids.size}
          onClear={selection.clear}
          actions={bulkActions}
          rareActions={rareActions}
          onMore={anchor => void openMenuOfSelected(anchor)}
        />
      )}
      <RehashProgress rows={actions.rehashing} />
      {dialog}
      {saving && renderSave?.({ search: shown.filter, onClose: () => setSaving(false) })}
      {address.file !== null && data !== undefined && (
        <OpenedFile
          id={address.file}
          note={address.note}
          timeline={data}
          actions={{
            ...actions,
            move: onOne(open.move),
            share: onOne(open.share),
            changeDate: onOne(open.date),
            changePlace: onOne(open.place),
          }}
          render={renderViewer}
          onShown={viewing.replaceFile}
          onClose={viewing.close}
          onPosition={viewing.onPosition}
        />
      )}
    </>
  )
}

/** Absent where the person may not. */
type ActOnFiles = ((fileIds: readonly number[]) => unknown) | undefined

function onOne(act: ActOnFiles) {
  return act && ((file: NamedFile) => void act([file.id]))
}

function actionOnOne(label: string, icon: LucideIcon, act: ActOnFiles): FileMenuAction[] {
  const run = onOne(act)
  return run ? [{ label, icon, run }] : []
}

function reorderActions({ step }: Reordering): FileMenuAction[] {
  return [
    { label: texts.moveEarlier, icon: ArrowLeft, run: file => step(file, -1) },
    { label: texts.moveLater, icon: ArrowRight, run: file => step(file, 1) },
  ]
}

/** The bottom of a sticky element. It is needed in every frame, so it is measured in advance. */
function useStickyBottom(element: RefObject<HTMLElement | null>): () => number {
  const bottom = useRef(0)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    function measure(sticky: HTMLElement) {
      bottom.current = sticky.offsetHeight + Number.parseFloat(getComputedStyle(sticky).top)
      document.documentElement.style.setProperty('--sticky-top', `${bottom.current}px`)
    }
    measure(measured)
    const observer = new ResizeObserver(() => measure(measured))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return useCallback(() => bottom.current, [])
}
