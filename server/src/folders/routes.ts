import type { FastifyInstance } from 'fastify'
import {
  createFolder as createFolderEndpoint,
  deleteFolder as deleteFolderEndpoint,
  listFolders as listFoldersEndpoint,
  listSubfolders as listSubfoldersEndpoint,
  updateFolder as updateFolderEndpoint,
} from '#contract/folders.ts'
import { serve } from '../kit/serve.ts'
import type { Storage } from '../storage/storage.ts'
import { createFolder, deleteFolder, type FolderDeps, listFolders, listSubfolders, updateFolder } from './folders.ts'

export interface FolderRouteDeps extends FolderDeps {
  storage: Pick<Storage, 'signedUrl'>
}

export function folderRoutes(app: FastifyInstance, deps: FolderRouteDeps): void {
  serve(app, listFoldersEndpoint, () => listFolders(deps.db.query))

  serve(app, listSubfoldersEndpoint, ({ params }) => listSubfolders(deps.db.query, deps.storage, params.id))

  serve(app, createFolderEndpoint, ({ caller, body }) =>
    createFolder(deps, caller.id, { name: body.name, parentId: body.parent_id ?? null }),
  )

  serve(app, updateFolderEndpoint, ({ caller, params, body }) =>
    updateFolder(deps, caller.id, params.id, { name: body.name, parentId: body.parent_id, expected: body.expected }),
  )

  serve(app, deleteFolderEndpoint, ({ caller, params }) => deleteFolder(deps, caller.id, params.id))
}
