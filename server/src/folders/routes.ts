import type { FastifyInstance } from 'fastify'
import {
  createFolder as createFolderEndpoint,
  deleteFolder as deleteFolderEndpoint,
  listFolders as listFoldersEndpoint,
  updateFolder as updateFolderEndpoint,
} from '#contract/folders.ts'
import { serve, serveShared } from '../kit/serve.ts'
import type { SharedAnswers } from '../kit/shared-answers.ts'
import { createFolder, deleteFolder, type FolderDeps, listFolders, updateFolder } from './folders.ts'

export function folderRoutes(app: FastifyInstance, deps: FolderDeps, shared: SharedAnswers): void {
  serveShared(app, listFoldersEndpoint, shared, () => listFolders(deps.db.query))

  serve(app, createFolderEndpoint, ({ caller, body }) =>
    createFolder(deps, caller.id, { name: body.name, parentId: body.parent_id ?? null }),
  )

  serve(app, updateFolderEndpoint, ({ caller, params, body }) =>
    updateFolder(deps, caller.id, params.id, { name: body.name, parentId: body.parent_id }),
  )

  serve(app, deleteFolderEndpoint, ({ caller, params }) => deleteFolder(deps, caller.id, params.id))
}
