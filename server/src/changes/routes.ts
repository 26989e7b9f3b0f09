import type { FastifyInstance } from 'fastify'
import { undoChange as undoChangeEndpoint } from '#contract/changes.ts'
import { serve } from '../kit/serve.ts'
import { type ChangeDeps, undoChange } from './changes.ts'

export function changeRoutes(app: FastifyInstance, deps: ChangeDeps): void {
  serve(app, undoChangeEndpoint, ({ caller, params }) => undoChange(deps, caller.id, params.id))
}
