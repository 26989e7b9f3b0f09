import type { FastifyInstance } from 'fastify'
import { lastChanges as lastChangesEndpoint, undoChange as undoChangeEndpoint } from '#contract/changes.ts'
import { serve } from '../kit/serve.ts'
import { type ChangeDeps, lastChanges, undoChange } from './changes.ts'

export function changeRoutes(app: FastifyInstance, deps: ChangeDeps): void {
  serve(app, lastChangesEndpoint, ({ caller }) => lastChanges(deps, caller.id))
  serve(app, undoChangeEndpoint, ({ caller, params }) => undoChange(deps, caller.id, params.id))
}
