import '../folders.css'
import { FolderPlus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Folder } from '#contract/folders.ts'
import { useCan } from '../../kit/me.tsx'
import { texts as kitTexts } from '../../kit/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { confirmInDialog } from '../../ui/confirm.tsx'
import { useLatest } from '../../ui/hooks.ts'
import { Notice } from '../../ui/Notice.tsx'
import { prefetchedDialog } from '../../ui/prefetched-lazy.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { useDeleteFolder, useFileCounts, useFolders, useUpdateFolder } from '../queries.ts'
import { texts } from '../texts.ts'
import { type TreeItemId, topItems } from '../tree.ts'
import { FolderMenu, type OpenFolderMenu } from './FolderMenu.tsx'
import { FolderTree, type TreeHandle } from './FolderTree.tsx'
import { focusAfterDelete } from './tree-keys.ts'

const MoveFolderDialog = prefetchedDialog(
  async () => (await import('../dialogs/MoveFolderDialog.tsx')).MoveFolderDialog,
)
const NewFolderDialog = prefetchedDialog(async () => (await import('../dialogs/NewFolderDialog.tsx')).NewFolderDialog)

export interface FolderPanelProps {
  /** Null: something else than folders. */
  selected: TreeItemId | null
  onSelect: (item: TreeItemId) => void
  /** Null: the root. */
  onFilesDropped: (folderId: number | null, fileIds: number[]) => void
}

/** The folder tree with its menus and dialogs. Fills the available height. */
export function FolderPanel({ selected, onSelect, onFilesDropped }: FolderPanelProps) {
  const { folders, byId, known, error, retry } = useFolders({ watched: true })
  const counts = useFileCounts({ outside: topItems(folders, selected).includes('root') })
  const tree = useRef<TreeHandle>(null)
  const [menu, setMenu] = useState<OpenFolderMenu | null>(null)
  const [renaming, setRenaming] = useState<number | null>(null)
  const [moving, setMoving] = useState<Folder | null>(null)
  /** The parent of the folder being created; undefined while the dialog is closed. */
  const [creatingIn, setCreatingIn] = useState<number | null>()
  const update = useUpdateFolder()
  const deleteFolder = useDeleteFolder()
  const mayEdit = useCan('media.edit')
  const selectedNow = useLatest(selected)

  async function remove(folder: Folder) {
    const { title, label, confirm } = texts.delete
    const text = kitTexts.canUndo({ question: confirm({ name: folder.name }) })
    if (!(await confirmInDialog({ title, text, label }))) return
    const next = focusAfterDelete(folders, folder.id)
    if (!(await deleteFolder(folder))) return
    if (selectedNow.current === folder.id) onSelect('all')
    if (isFocusFree(document.activeElement)) tree.current?.focus(next)
  }

  function endRenaming() {
    if (renaming !== null) tree.current?.focus(renaming)
    setRenaming(null)
  }

  if (!known) return error === null ? <Loading /> : <Failed reason={error.message} retry={retry} />
  return (
    <>
      <FolderTree
        ref={tree}
        folders={folders}
        byId={byId}
        counts={counts}
        selected={selected}
        renaming={renaming}
        onRenamed={endRenaming}
        onSelect={onSelect}
        edit={
          mayEdit
            ? {
                rename: folder => setRenaming(folder.id),
                remove: folder => void remove(folder),
                openMenu: (folder, anchor) => setMenu({ folder, anchor }),
                moveFolder: (id, parent_id) => void update.run({ params: { id }, body: { parent_id } }),
                moveFiles: onFilesDropped,
              }
            : undefined
        }
      />
      {folders.length === 0 && (
        <p className="px-2 text-ink-soft text-small">{mayEdit ? texts.none : texts.noneForViewers}</p>
      )}
      {mayEdit && (
        <Button icon={<FolderPlus aria-hidden="true" className="size-5" />} onClick={() => setCreatingIn(null)}>
          {texts.create.label}
        </Button>
      )}
      <FolderMenu
        menu={menu}
        onClose={() => setMenu(null)}
        onRename={folder => setRenaming(folder.id)}
        onCreateWithin={folder => setCreatingIn(folder.id)}
        onMove={setMoving}
        onDelete={folder => void remove(folder)}
      />
      <NewFolderDialog
        open={creatingIn !== undefined}
        parentId={creatingIn ?? null}
        onClose={() => setCreatingIn(undefined)}
        onCreated={({ id }) => tree.current?.scrollTo(id)}
      />
      {moving !== null && <MoveFolderDialog folder={moving} onClose={() => setMoving(null)} />}
    </>
  )
}

/** Whether the focus is in the tree, or was lost with a removed item: then it may be moved. */
function isFocusFree(active: Element | null): boolean {
  return active === null || active === document.body || active.closest('[role="tree"]') !== null
}

function Loading() {
  return (
    <div className="grid min-h-32 place-items-center">
      <Spinner label={texts.loading} />
    </div>
  )
}

function Failed({ reason, retry }: { reason: string; retry: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <Notice>
        <p className="font-semibold">{kitTexts.foldersFailed}</p>
        <p>{reason}</p>
      </Notice>
      <Button onClick={retry}>{texts.retry}</Button>
    </div>
  )
}
