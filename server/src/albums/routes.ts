import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/albums.ts'
import { serve } from '../kit/serve.ts'
import { addFiles, removeFiles, reorderFiles, restoreFiles } from './album-files.ts'
import {
  type AlbumDeps,
  albumsOfFile,
  createAlbum,
  deleteAlbum,
  getAlbum,
  listAlbums,
  restoreAlbum,
  updateAlbum,
} from './albums.ts'

export function albumRoutes(app: FastifyInstance, deps: AlbumDeps): void {
  serve(app, contract.listAlbums, ({ query }) => listAlbums(deps, query))
  serve(app, contract.getAlbum, ({ params }) => getAlbum(deps, params.id))
  serve(app, contract.createAlbum, ({ caller, body }) => createAlbum(deps, caller.id, body))
  serve(app, contract.updateAlbum, ({ caller, params, body }) => updateAlbum(deps, caller, params.id, body))
  serve(app, contract.deleteAlbum, ({ caller, params }) => deleteAlbum(deps, caller, params.id))
  serve(app, contract.restoreAlbum, ({ caller, params }) => restoreAlbum(deps, caller, params.id))
  serve(app, contract.albumsOfFile, ({ caller, params }) => albumsOfFile(deps, caller, params.id))

  serve(app, contract.addToAlbum, ({ caller, params, body }) => addFiles(deps, caller.id, params.id, body.fileIds))
  serve(app, contract.removeFromAlbum, ({ caller, params, body }) => removeFiles(deps, caller, params.id, body.fileIds))
  serve(app, contract.restoreToAlbum, ({ caller, params, body }) => restoreFiles(deps, caller, params.id, body.fileIds))
  serve(app, contract.reorderAlbum, ({ caller, params, body }) => reorderFiles(deps, caller.id, params.id, body))
}
