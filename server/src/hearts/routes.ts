import type { FastifyInstance } from 'fastify'
import {
  heartFile as heartFileEndpoint,
  heartFiles as heartFilesEndpoint,
  listHearts,
  unheartFile as unheartFileEndpoint,
  unheartFiles as unheartFilesEndpoint,
} from '#contract/hearts.ts'
import { serve } from '../kit/serve.ts'
import { heartsOf } from './hearts.sql.ts'
import { type HeartDeps, heartFile, heartFiles, unheartFile, unheartFiles } from './hearts.ts'

export function heartRoutes(app: FastifyInstance, deps: HeartDeps): void {
  serve(app, listHearts, ({ query }) => heartsOf(deps.db.query, query.ids?.split(',').map(Number) ?? []))
  serve(app, heartFileEndpoint, ({ caller, params }) => heartFile(deps, caller.id, params.id))
  serve(app, unheartFileEndpoint, ({ caller, params }) => unheartFile(deps, caller.id, params.id))
  serve(app, heartFilesEndpoint, async ({ caller, body }) => ({
    fileIds: (await heartFiles(deps, caller.id, body.fileIds)).changed,
  }))
  serve(app, unheartFilesEndpoint, async ({ caller, body }) => ({
    fileIds: (await unheartFiles(deps, caller.id, body.fileIds)).changed,
  }))
}
