import type { FastifyInstance } from 'fastify'
import * as endpoints from '#contract/memories.ts'
import { serve } from '../../kit/serve.ts'
import {
  closeMemories,
  galleryTop,
  hideMemory,
  hideMemoryDay,
  listHidden,
  type MemoryDeps,
  memoriesOfDay,
  recordVisit,
  setNewSince,
  showMemory,
  showMemoryDay,
} from './memories.ts'

/** All of it concerns the caller alone. */
export function memoryRoutes(app: FastifyInstance, deps: MemoryDeps): void {
  serve(app, endpoints.memories, ({ caller, query }) => memoriesOfDay(deps, caller.id, query))
  serve(app, endpoints.galleryTop, ({ caller, query }) => galleryTop(deps, caller.id, query.today))
  serve(app, endpoints.closeMemories, ({ caller, body }) => closeMemories(deps, caller.id, body.day))
  serve(app, endpoints.hiddenMemories, ({ caller }) => listHidden(deps, caller.id))
  serve(app, endpoints.hideMemoryDay, ({ caller, params }) => hideMemoryDay(deps, caller.id, params.date))
  serve(app, endpoints.showMemoryDay, ({ caller, params }) => showMemoryDay(deps, caller.id, params.date))
  serve(app, endpoints.hideMemory, ({ caller, params }) => hideMemory(deps, caller.id, params.id))
  serve(app, endpoints.showMemory, ({ caller, params }) => showMemory(deps, caller.id, params.id))
  serve(app, endpoints.recordVisit, ({ caller }) => recordVisit(deps, caller.id))
  serve(app, endpoints.setNewSince, ({ caller, body }) => setNewSince(deps, caller.id, body.since))
}
