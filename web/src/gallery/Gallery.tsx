import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
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
  MapPin,
  PencilLine,
  ShieldCheck,
  StickyNote,
  Tag,
  Trash2,
} from 'lucide-react'
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { getMedia } from '#contract/media.ts'
import { areHearted, useSetHeart, useSetHearts } from '../hearts/hearts.ts'
import { useCan } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import type { NamedFile, ViewedFile } from '../media/viewed-file.ts'
import { bottomBarHeight } from '../ui/Dock.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { BulkBar } from './actions/BulkBar.tsx'
import { type Choosing, ChoosingBar } from './actions/ChoosingBar.tsx'
import { FileMenu, type FileMenuAction, type FileMenuTarget } from './actions/FileMenu.tsx'
import { useFileActions } from './actions/file-actions.ts'
import { RehashProgress } from './actions/RehashProgress.tsx'
import { useOwnScrollRestoration } from './browser/anchored-viewport.ts'
import { type BrowserHandle, FileBrowser } from './browser/FileBrowser.tsx'
import type { ChangeRenaming, Renaming } from './browser/RenameField.tsx'
import type { Reordering } from './browser/reorder.ts'
import type { ListTimeline } from './files/queries.ts'
import {
  type ChangeAddress,
  filterOf,
  type GalleryAddress,
  isFiltered,
  isPersonal,
  listOf,
  sortedBy,
} from './gallery-address.ts'
import { FilterBanner, ListHeading } from './ListHeading.tsx'
import { NoFiles, NoSuchFolder } from './ListStates.tsx'
import type { DensitySteps } from './layout/list-layout.ts'
import { OpenedFile } from './OpenedFile.tsx'
import { useGalleryKeys, useSelection } from './selection.ts'
import { Toolbar } from './Toolbar.tsx'
import { texts } from './texts.ts'
import { useViewPreference } from './view-preference.ts'

export interface MoveRequest {
  fileIds: readonly number[]
  onClose: () => void
  onMoved: () => void
}

export interface FilesRequest {
  fileIds: readonly number[]
  onClose: () => void
}

export interface SaveRequest {
  search: ReturnType<typeof filterOf>
  onClose: () => void
}

/** What can be done in the album that is shown. */
export interface AlbumActions {
  /** Resolves to whether it worked. */
  remove: ((fileIds: readonly number[]) => Promise<boolean>) | undefined
  useAsCover: ((file: NamedFile) => void) | undefined
  reordering: Reordering | undefined
}

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  timeline: UseQueryResult<ListTimeline>
  /** Name of the open folder; null if it was deleted, undefined if none is open or it is not loaded yet. */
  folder: string | null | undefined
  subfolders: ReactNode
  firstRun: ReactNode
  renderViewer: (viewed: ViewedFile) => ReactNode
  renderMove: ((request: MoveRequest) => ReactNode) | undefined
  renderTag: ((request: FilesRequest) => ReactNode) | undefined
  renderShare: ((request: FilesRequest) => ReactNode) | undefined
  /** The dialog that changes dates; absent where the person may not. */
  renderDate?: ((request: FilesRequest) => ReactNode) | undefined
  /** The dialog that changes the place; absent where it cannot be changed. */
  renderPlace?: ((request: FilesRequest) => ReactNode) | undefined
  /** The dialog that asks for an album; absent where files cannot be added to one. */
  renderAddToAlbum?: ((request: MoveRequest) => ReactNode) | undefined
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
export function Gallery({ address, change, timeline, folder, subfolders, firstRun, ...render }: Props) {
  const {
    renderViewer,
    renderMove,
    renderTag,
    renderShare,
    renderDate,
    renderPlace,
    renderAddToAlbum,
    renderSave,
    album,
    choosing,
    bar,
    narrow = false,
  } = render
  const inAlbum = address.album !== null
  const toolbar = useRef<HTMLDivElement>(null)
  const browser = useRef<BrowserHandle>(null)
  const [menu, setMenu] = useState<FileMenuTarget | null>(null)
  const [renaming, setRenaming] = useState<Renaming | null>(null)
  const [moving, setMoving] = useState<readonly number[] | null>(null)
  const [tagging, setTagging] = useState<readonly number[] | null>(null)
  const [sharing, setSharing] = useState<readonly number[] | null>(null)
  const [dating, setDating] = useState<readonly number[] | null>(null)
  const [placing, setPlacing] = useState<FilesRequest['fileIds'] | null>(null)
  const [adding, setAdding] = useState<readonly number[] | null>(null)
  const [saving, setSaving] = useState(false)
  const selection = useSelection(listOf(address), timeline.dataUpdatedAt, choosing !== undefined)
  const actions = useFileActions()
  const setHeart = useSetHeart()
  const setHearts = useSetHearts()
  const mayEdit = useCan('media.edit')
  const client = useQueryClient()
  const { view, density, setDensity } = useViewPreference({ inAlbum })
  const [densitySteps, setDensitySteps] = useState<DensitySteps>({ smaller: false, larger: false })
  const viewing = useOpenFile(address, change, browser)
  useGalleryKeys(selection)
  useOwnScrollRestoration()
  const roomy = useScreen('sm') && !narrow

  const toolbarBottom = useStickyBottom(toolbar)
  const insets = useCallback(() => ({ top: toolbarBottom(), bottom: bottomBarHeight() }), [toolbarBottom])
  const changeDensity = useCallback((steps: 1 | -1) => browser.current?.changeDensity(steps), [])
  const rename = useCallback((file: NamedFile) => setRenaming({ id: file.id, startedAt: performance.now() }), [])
  // Another rename may have started by now.
  const changeRenaming: ChangeRenaming = useCallback(({ startedAt }, change) => {
    setRenaming(now => (now?.startedAt === startedAt ? change && { ...now, ...change } : now))
  }, [])
  const move = renderMove && ((file: NamedFile) => setMoving([file.id]))
  const changePlace = renderPlace && ((file: NamedFile) => setPlacing([file.id]))
  const share = renderShare && ((file: NamedFile) => setSharing([file.id]))

  const changeDate = renderDate && ((file: NamedFile) => setDating([file.id]))

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

  const changing: FileMenuAction[] = [
    { label: texts.rehash.label, icon: ShieldCheck, run: file => void actions.rehash(file) },
    { label: texts.delete.label, icon: Trash2, destructive: true, run: file => void actions.delete(file) },
  ]
  const albumActions: FileMenuAction[] = [
    ...(renderAddToAlbum
      ? [{ label: texts.addToAlbum, icon: BookImage, run: (file: NamedFile) => setAdding([file.id]) }]
      : []),
    ...(album?.useAsCover ? [{ label: texts.useAsCover, icon: ImageUp, run: album.useAsCover }] : []),
    ...(album?.reordering ? reorderActions(album.reordering) : []),
    ...(album?.remove
      ? [
          {
            label: texts.removeFromAlbum,
            icon: BookMinus,
            run: (file: NamedFile) => void removeFromAlbum([file.id]),
          },
        ]
      : []),
  ]
  const menuActions: FileMenuAction[] = [
    { label: texts.open, icon: Expand, run: viewing.open },
    ...(mayEdit ? [{ label: texts.rename.label, icon: PencilLine, run: rename }] : []),
    ...(move ? [{ label: texts.move, icon: FolderInput, run: move }] : []),
    ...(renderTag ? [{ label: texts.tag, icon: Tag, run: (file: NamedFile) => setTagging([file.id]) }] : []),
    ...(changeDate ? [{ label: texts.changeDate, icon: CalendarClock, run: changeDate }] : []),
    ...(changePlace ? [{ label: texts.changePlace, icon: MapPin, run: changePlace }] : []),
    ...albumActions,
    { label: texts.note, icon: StickyNote, run: viewing.writeNote },
    ...(share ? [{ label: texts.share, icon: Link2, run: share }] : []),
    { label: texts.download.label, icon: Download, run: file => void actions.download(file) },
    ...(mayEdit ? changing : []),
  ]
  const { data } = timeline
  // The path of a folder and the heading of a month are on the left of a line of their own.
  const hasEmptyLineBelow = typeof address.folder === 'number' || (view !== 'list' && (data?.days.length ?? 0) > 0)
  const heading = <ListHeading address={address} folder={folder} count={data?.total} />
  const onSave = isPersonal(address) ? undefined : renderSave && (() => setSaving(true))
  const banner = <FilterBanner address={address} change={change} timeline={timeline} onSave={onSave} />
  return (
    <>
      <div
        ref={toolbar}
        hidden={inAlbum && data?.total === 0 && !isFiltered(address)}
        className="gallery-toolbar -mx-[16px] sticky top-14 z-21 bg-paper px-[16px] py-1 max-sm:py-0.5 tabs:top-(--top-inset) sm:-mx-6 sm:px-6 lg:-ml-2 lg:pl-2"
      >
        <Toolbar
          address={address}
          change={change}
          busy={timeline.isPlaceholderData}
          densitySteps={densitySteps}
          onDensity={changeDensity}
          narrow={narrow}
        >
          {roomy && heading}
        </Toolbar>
        {!roomy && banner}
      </div>
      <div
        className="list-status"
        data-narrow={narrow ? '' : undefined}
        data-own-line={hasEmptyLineBelow ? undefined : ''}
      >
        {roomy ? banner : heading}
      </div>
      {subfolders}
      {folder === null ? (
        <NoSuchFolder change={change} />
      ) : data === undefined ? (
        <LoadingOrError query={timeline} texts={texts} />
      ) : data.total === 0 ? (
        <NoFiles address={address} change={change} firstRun={firstRun} />
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
          onSort={inAlbum ? undefined : field => change(sortedBy(address, field))}
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
          deleting={actions.deletingMany}
          onDelete={mayEdit ? () => void deleteSelected() : undefined}
          onClear={selection.clear}
          hearted={selection.on && areHearted(client, selection.ids)}
          onHeart={setHearts && (hearted => void setHearts([...selection.ids], hearted))}
          onDownload={() => void actions.downloadMany(selection.ids)}
          onRehash={mayEdit ? () => void actions.rehashMany(selection.ids) : undefined}
          onMore={anchor => void openMenuOfSelected(anchor)}
          onMove={renderMove && (() => setMoving([...selection.ids]))}
          onTag={renderTag && (() => setTagging([...selection.ids]))}
          onDate={renderDate && (() => setDating([...selection.ids]))}
          onShare={renderShare && (() => setSharing([...selection.ids]))}
          onPlace={renderPlace && (() => setPlacing([...selection.ids]))}
          onAddToAlbum={renderAddToAlbum && (() => setAdding([...selection.ids]))}
          onRemoveFromAlbum={album?.remove && (() => void removeFromAlbum([...selection.ids]))}
        />
      )}
      <RehashProgress rows={actions.rehashing} />
      {moving !== null &&
        renderMove?.({
          fileIds: moving,
          onClose: () => setMoving(null),
          onMoved: () => selection.deselect(moving),
        })}
      {tagging !== null && renderTag?.({ fileIds: tagging, onClose: () => setTagging(null) })}
      {placing !== null && renderPlace?.({ fileIds: placing, onClose: () => setPlacing(null) })}
      {sharing !== null && renderShare?.({ fileIds: sharing, onClose: () => setSharing(null) })}
      {dating !== null && renderDate?.({ fileIds: dating, onClose: () => setDating(null) })}
      {adding !== null &&
        renderAddToAlbum?.({
          fileIds: adding,
          onClose: () => setAdding(null),
          onMoved: () => selection.deselect(adding),
        })}
      {saving && renderSave?.({ search: filterOf(address), onClose: () => setSaving(false) })}
      {address.file !== null && data !== undefined && (
        <OpenedFile
          id={address.file}
          note={address.note}
          timeline={data}
          actions={{ ...actions, move, share, changeDate, changePlace }}
          render={renderViewer}
          onShown={viewing.replaceFile}
          onClose={viewing.close}
          onPosition={viewing.onPosition}
        />
      )}
    </>
  )
}

function reorderActions({ step }: Reordering): FileMenuAction[] {
  return [
    { label: texts.moveEarlier, icon: ArrowLeft, run: file => step(file, -1) },
    { label: texts.moveLater, icon: ArrowRight, run: file => step(file, 1) },
  ]
}

/** The open file is part of the URL, so that Back closes it. */
function useOpenFile(address: GalleryAddress, change: ChangeAddress, browser: { current: BrowserHandle | null }) {
  const navigate = useNavigate()
  const openedHere = useRef(false)
  const lastIndex = useRef<number | null>(null)

  const open = address.file !== null
  useEffect(() => {
    if (open || lastIndex.current === null) return
    // After closing, the focus goes to the file that was open last.
    browser.current?.focus(lastIndex.current)
    lastIndex.current = null
    openedHere.current = false
  }, [open, browser])

  return {
    open: (file: NamedFile) => {
      openedHere.current = true
      change({ file: file.id })
    },
    writeNote: (file: NamedFile) => {
      openedHere.current = true
      change({ file: file.id, note: 'new' })
    },
    replaceFile: (id: number) => change({ file: id, note: null }, { replace: true }),
    close: () => (openedHere.current ? navigate(-1) : change({ file: null, note: null }, { replace: true })),
    onPosition: (index: number) => {
      lastIndex.current = index
    },
  }
}

/** Below the toolbar: the heading or the filters, and the columns of the list, in pixels. */
const LIST_HEADER = 80

/** The bottom of a sticky element. It is needed in every frame, so it is measured in advance. */
function useStickyBottom(element: RefObject<HTMLElement | null>): () => number {
  const bottom = useRef(0)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    function measure(sticky: HTMLElement) {
      bottom.current = sticky.offsetHeight + Number.parseFloat(getComputedStyle(sticky).top)
      const { style } = document.documentElement
      style.setProperty('--sticky-top', `${bottom.current}px`)
      // The element before it does not stick, so it says where this one is while the page is not scrolled.
      const before = sticky.previousElementSibling?.getBoundingClientRect().bottom ?? 0
      style.setProperty('--controls-bottom', `${before + window.scrollY + sticky.offsetHeight + LIST_HEADER}px`)
    }
    measure(measured)
    const observer = new ResizeObserver(() => measure(measured))
    observer.observe(measured)
    return () => {
      observer.disconnect()
      document.documentElement.style.removeProperty('--controls-bottom')
    }
  }, [element])
  return useCallback(() => bottom.current, [])
}
