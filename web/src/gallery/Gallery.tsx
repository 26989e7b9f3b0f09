import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { MediaFile } from '#contract/media.ts'
import type { ViewedFile } from '../kit/viewed-file.ts'
import { dockHeight } from '../ui/Dock.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { BulkBar } from './actions/BulkBar.tsx'
import { FileMenu, type MenuFor } from './actions/FileMenu.tsx'
import { RehashProgress } from './actions/rehash/RehashProgress.tsx'
import { useFileActions } from './actions/useFileActions.ts'
import { type GalleryAddress, listOf, sortedBy } from './address.ts'
import { type BrowserHandle, FileBrowser } from './browser/FileBrowser.tsx'
import type { Renaming } from './browser/RenameField.tsx'
import type { ListIndex } from './files/queries.ts'
import { LoadFailed, NoFiles, NoSuchFolder } from './NoFiles.tsx'
import { OpenedFile } from './OpenedFile.tsx'
import { useSelection } from './selection/useSelection.ts'
import { Toolbar } from './Toolbar.tsx'
import { texts } from './texts.ts'
import type { ChangeAddress } from './useGalleryAddress.ts'
import { useGalleryKeys } from './useGalleryKeys.ts'

export interface MoveRequest {
  fileIds: readonly number[]
  onClose: () => void
  onMoved: () => void
}

export interface TagRequest {
  fileIds: readonly number[]
  onClose: () => void
}

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  index: UseQueryResult<ListIndex>
  /** The name of the open folder; null where it is no longer there, undefined where none is open or it is not known yet. */
  folder: string | null | undefined
  banner: ReactNode
  uploadButton: ReactNode
  renderViewer: (viewed: ViewedFile) => ReactNode
  renderMove: ((request: MoveRequest) => ReactNode) | undefined
  renderTag: ((request: TagRequest) => ReactNode) | undefined
}

/** The files with all that is done to them: found, selected, opened, renamed, moved and deleted. */
export function Gallery({ address, change, index, folder, banner, uploadButton, ...render }: Props) {
  const { renderViewer, renderMove, renderTag } = render
  const toolbar = useRef<HTMLDivElement>(null)
  const browser = useRef<BrowserHandle>(null)
  const [menu, setMenu] = useState<MenuFor | null>(null)
  const [renaming, setRenaming] = useState<Renaming | null>(null)
  const [moving, setMoving] = useState<readonly number[] | null>(null)
  const [tagging, setTagging] = useState<readonly number[] | null>(null)
  const selecting = useSelection(listOf(address), index.dataUpdatedAt)
  const actions = useFileActions()
  const viewing = useViewing(address, change, browser)
  useGalleryKeys(selecting)

  const bottomOfToolbar = useBottomOfSticky(toolbar)
  const insets = useCallback(() => ({ top: bottomOfToolbar(), bottom: dockHeight() }), [bottomOfToolbar])
  const rename = useCallback((file: MediaFile) => setRenaming({ id: file.id }), [])
  // Meanwhile another may have been begun.
  const onRenamed = useCallback((done: Renaming) => setRenaming(now => (now === done ? null : now)), [])
  const move = renderMove && ((file: MediaFile) => setMoving([file.id]))

  async function deleteSelected() {
    const { ids } = selecting
    if (await actions.deleteMany(ids)) selecting.leaveOut(ids)
  }

  async function openMenuOfSelected(anchor: Element) {
    const [id] = selecting.ids
    const file = id === undefined ? undefined : await actions.find(id)
    if (file !== undefined) setMenu({ file, anchor })
  }

  const { data } = index
  return (
    <>
      <div ref={toolbar} className="-mx-2 sticky top-16 z-20 mb-2 bg-paper px-2 py-2.5">
        <Toolbar address={address} change={change} busy={index.isPlaceholderData} />
      </div>
      {banner}
      <Heading name={headingOf(address, folder)} count={data?.total} />
      {folder === null ? (
        <NoSuchFolder change={change} />
      ) : data === undefined ? (
        <NotYet index={index} />
      ) : data.total === 0 ? (
        <NoFiles address={address} change={change} uploadButton={uploadButton} />
      ) : (
        <FileBrowser
          ref={browser}
          index={data}
          indexReadAt={index.dataUpdatedAt}
          settled={!index.isPlaceholderData}
          view={address.view}
          names={address.names}
          selecting={selecting}
          actions={{
            open: viewing.open,
            openMenu: (file, anchor) => setMenu({ file, anchor }),
            rename,
            delete: file => void (selecting.ids.has(file.id) ? deleteSelected() : actions.delete(file)),
          }}
          renaming={renaming}
          onRenamed={onRenamed}
          onSort={field => change(sortedBy(address, field))}
          onTurn={() => change({ order: address.order === 'asc' ? 'desc' : 'asc' })}
          insets={insets}
        />
      )}
      <FileMenu
        menu={menu}
        onClose={() => setMenu(null)}
        onOpen={viewing.open}
        onRename={rename}
        onDownload={file => void actions.download(file)}
        onRehash={actions.rehash}
        onDelete={file => void actions.delete(file)}
        onMove={move}
        onTag={renderTag && (file => setTagging([file.id]))}
        onNote={viewing.writeNote}
      />
      <BulkBar
        count={selecting.ids.size}
        deleting={actions.deletingMany}
        onDelete={() => void deleteSelected()}
        onClear={selecting.clear}
        onDownload={() => void actions.downloadMany(selecting.ids)}
        onRehash={() => actions.rehashMany(selecting.ids)}
        onMore={anchor => void openMenuOfSelected(anchor)}
        onMove={renderMove && (() => setMoving([...selecting.ids]))}
        onTag={renderTag && (() => setTagging([...selecting.ids]))}
      />
      <RehashProgress rows={actions.rehashing} />
      {moving !== null &&
        renderMove?.({
          fileIds: moving,
          onClose: () => setMoving(null),
          onMoved: () => selecting.leaveOut(moving),
        })}
      {tagging !== null && renderTag?.({ fileIds: tagging, onClose: () => setTagging(null) })}
      {address.file !== null && data !== undefined && (
        <OpenedFile
          id={address.file}
          note={address.note}
          index={data}
          acts={{ ...actions, move }}
          render={renderViewer}
          onTurned={viewing.turnTo}
          onClose={viewing.close}
          onPlaced={viewing.onPlaced}
        />
      )}
    </>
  )
}

/** Which file is open stands in the address, so that Back closes it. */
function useViewing(address: GalleryAddress, change: ChangeAddress, browser: { current: BrowserHandle | null }) {
  const navigate = useNavigate()
  const openedHere = useRef(false)
  const place = useRef<number | null>(null)

  const open = address.file !== null
  useEffect(() => {
    if (open || place.current === null) return
    // Closed: whoever turned to another photo finds that one, not the one they began with.
    browser.current?.focus(place.current)
    place.current = null
    openedHere.current = false
  }, [open, browser])

  return {
    open: (file: MediaFile) => {
      openedHere.current = true
      change({ file: file.id })
    },
    writeNote: (file: MediaFile) => {
      openedHere.current = true
      change({ file: file.id, note: 'new' })
    },
    turnTo: (id: number) => change({ file: id, note: null }, { replace: true }),
    close: () => (openedHere.current ? navigate(-1) : change({ file: null, note: null }, { replace: true })),
    onPlaced: (index: number) => {
      place.current = index
    },
  }
}

function headingOf(address: GalleryAddress, folder: string | null | undefined): string {
  if (address.folder === null) return texts.allFiles
  const name = folder ?? '…'
  return address.folder === 'root' ? name : texts.inFolder(name)
}

function Heading({ name, count }: { name: string; count: number | undefined }) {
  return (
    <h2 className="mb-1 flex flex-wrap items-baseline gap-x-3 font-semibold text-lead">
      <bdi className="wrap-anywhere">{name}</bdi>{' '}
      {count !== undefined && (
        <span className="font-normal font-sans text-body text-ink-soft">{texts.files(count)}</span>
      )}
    </h2>
  )
}

function NotYet({ index: { error, isFetching, refetch } }: Pick<Props, 'index'>) {
  if (error !== null && !isFetching) return <LoadFailed reason={error.message} retry={() => void refetch()} />
  return (
    <div className="grid min-h-[40svh] place-items-center">
      <Spinner label={texts.loading} />
    </div>
  )
}

/** Where an element ends that stays at the top of the screen. Asked for in every frame, so it is measured beforehand. */
function useBottomOfSticky(element: RefObject<HTMLElement | null>): () => number {
  const bottom = useRef(0)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    function measure(sticky: HTMLElement) {
      bottom.current = sticky.offsetHeight + Number.parseFloat(getComputedStyle(sticky).top)
    }
    measure(measured)
    const observer = new ResizeObserver(() => measure(measured))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return useCallback(() => bottom.current, [])
}
