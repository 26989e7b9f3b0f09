import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Answer } from '#contract/endpoint.ts'
import { createFolder, deleteFolder, type Folder, updateFolder } from '#contract/folders.ts'
import { moveFiles } from '#contract/media.ts'
import { mediaIds, mediaStats } from '#contract/media-list.ts'
import { useAction } from '../kit/action.ts'
import { ApiError, call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { partsOfChange } from '../kit/parts.ts'
import { foldersQuery, query } from '../kit/queries.ts'
import { type UndoStep, undoOfChange, undoStep, undoStepsFor } from '../kit/undo.ts'
import { usePollInterval } from '../live/status.ts'
import { expand } from './collapsed-folders.ts'
import { texts } from './texts.ts'
import { ancestorsOf } from './tree.ts'

/** For polling while the live stream is not connected. */
const POLL_INTERVAL = 30_000

const folders: Change = { kind: 'folders' }

const none: readonly Folder[] = []

/** With `watched`, polls while the live stream is not connected. */
export function useFolders({ watched = false } = {}) {
  const pollInterval = usePollInterval(POLL_INTERVAL)
  const { data, error, isFetching, refetch } = useQuery({
    ...foldersQuery,
    // Every failure shows a toast, so poll less often after one.
    refetchInterval: ({ state }) =>
      watched && pollInterval && (state.error === null ? pollInterval : 10 * pollInterval),
  })
  const folders = data ?? none
  const byId = useMemo(() => new Map(folders.map(folder => [folder.id, folder])), [folders])
  return {
    folders,
    byId,
    /** The names from the root down; undefined for a deleted folder. */
    pathOf: (id: number) => byId.get(id)?.path,
    known: data !== undefined,
    error: isFetching ? null : error,
    retry: () => void refetch(),
  }
}

export interface FileCounts {
  all: number | undefined
  /** In no folder. */
  root: number | undefined
}

/** The number of all files, and with `outside`, of those in no folder. */
export function useFileCounts({ outside }: { outside: boolean }): FileCounts {
  const refetchInterval = usePollInterval(POLL_INTERVAL)
  const all = useQuery({
    ...query(mediaStats, { query: {} }),
    // The gallery reads its statistics from the same response.
    staleTime: POLL_INTERVAL,
    select: ({ total }) => total,
    refetchInterval,
  })
  const root = useQuery({
    ...query(mediaStats, { query: { folder_id: 'root' } }),
    select: ({ total }) => total,
    enabled: outside,
    refetchInterval,
  })
  return { all: all.data, root: root.data }
}

/** Expands the ancestors of the new folder. */
export function useCreateFolder(onCreated: (folder: Folder) => void) {
  const { byId } = useFolders()
  const { success, failure } = texts.create
  return useAction(createFolder, {
    success,
    failure,
    changes: [folders],
    whenDone: folder => {
      if (folder.parent_id !== null) expand(folder.parent_id, ...ancestorsOf(byId, folder.parent_id))
      onCreated(folder)
    },
  })
}

/** Renames or moves a folder. */
export function useUpdateFolder() {
  const { byId } = useFolders()
  return useAction(updateFolder, {
    ...texts.update,
    changes: [folders],
    undo: ({ name, parent_id }, { params, body }) => {
      const before = byId.get(Number(params.id))
      if (before === undefined) return []
      const oldName = body.name === undefined ? {} : { name: before.name }
      const oldParent = body.parent_id === undefined ? {} : { parent_id: before.parent_id }
      const expected = { name, parent_id }
      return [undoStep(() => call(updateFolder, { params, body: { ...oldName, ...oldParent, expected } }))]
    },
  })
}

/** Resolves to whether it worked. */
export function useDeleteFolder(): (folder: Folder) => Promise<boolean> {
  const { folders: all } = useFolders()
  const { success, failure } = texts.delete
  const { run } = useAction(deleteFolder, {
    success,
    failure,
    // Its files move to the root.
    changes: [folders, { kind: 'media', ids: [] }],
  })
  return async folder => {
    const subfolders = all.filter(({ parent_id }) => parent_id === folder.id)
    const fileIds = await fileIdsIn(folder)
    const undo = fileIds && (() => undoDelete(folder, subfolders, fileIds))
    return run({ params: { id: folder.id } }, undo === undefined ? {} : { undo })
  }
}

/** Undefined if they cannot be fetched: then the folder is deleted without Undo. */
async function fileIdsIn({ id }: Folder): Promise<number[] | undefined> {
  try {
    return (await call(mediaIds, { query: { folder_id: id, sort: 'date' } })).ids
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Creates the folder again, with another id, and moves back what it contained and nobody has moved since. */
function undoDelete(folder: Folder, subfolders: readonly Folder[], fileIds: readonly number[]): UndoStep[] {
  const { name, parent_id } = folder
  let creation: Promise<Folder> | undefined
  const create = () => {
    creation ??= call(createFolder, { body: { name, parent_id } })
    return creation
  }
  let continues: number | null = null
  return [
    undoStep(create),
    ...subfolders.map(subfolder =>
      undoStep(async () => {
        // Its name may have changed, if the parent had a folder of the same name.
        const body = { name: subfolder.name, parent_id: (await create()).id, expected: { parent_id } }
        await call(updateFolder, { params: { id: subfolder.id }, body })
      }),
    ),
    ...undoStepsFor(fileIds, async some => {
      const folderId = (await create()).id
      const body = { fileIds: some, folderId, expectedFolderId: null, continues }
      const answer: Answer<typeof moveFiles> = await call(moveFiles, { body })
      continues = answer.change_id
      return answer.moved
    }),
  ]
}

export function useMoveFiles() {
  const { byId } = useFolders()
  const { success, successToRoot, failure } = texts.moveFiles
  return useAction(moveFiles, {
    success: ({ moved: count }, { body: { folderId } }) => {
      const folder = folderId === null ? undefined : byId.get(folderId)?.name
      return folder === undefined ? successToRoot({ count }) : success({ count, folder })
    },
    failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds }],
    parts: partsOfChange((a, b) => ({ moved: a.moved + b.moved })),
    undo: undoOfChange,
  })
}
