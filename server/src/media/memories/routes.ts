import type { FastifyInstance } from 'fastify'
import * as endpoints from '#contract/memories.ts'
import { serve } from '../../kit/serve.ts'
import { type CardDeps, filesOfCard, galleryTop, putCardAway, showCardAgain } from './cards.ts'
import { hideMemory, hideMemoryDay, listHidden, memoriesOfDay, showMemory, showMemoryDay } from './memories.ts'
import { recordVisit } from './visits.ts'

/** All of it concerns the caller alone. */
export function memoryRoutes(app: FastifyInstance, deps: CardDeps): void {
  serve(app, endpoints.memories, ({ caller, query }) => memoriesOfDay(deps, caller.id, query))
  serve(app, endpoints.galleryTop, ({ caller, query }) => galleryTop(deps, caller, query.today))
  serve(app, endpoints.cardFiles, ({ caller, params }) => filesOfCard(deps, caller.id, params.card))
  serve(app, endpoints.putCardAway, ({ caller, params, body }) => putCardAway(deps, caller.id, params.card, body.until))
  serve(app, endpoints.showCardAgain, ({ caller, params }) => showCardAgain(deps, caller.id, params.card))
  serve(app, endpoints.hiddenMemories, ({ caller }) => listHidden(deps, caller.id))
  serve(app, endpoints.hideMemoryDay, ({ caller, params }) => hideMemoryDay(deps, caller.id, params.date))
  serve(app, endpoints.showMemoryDay, ({ caller, params }) => showMemoryDay(deps, caller.id, params.date))
  serve(app, endpoints.hideMemory, ({ caller, params }) => hideMemory(deps, caller.id, params.id))
  serve(app, endpoints.showMemory, ({ caller, params }) => showMemory(deps, caller.id, params.id))
  serve(app, endpoints.recordVisit, ({ caller }) => recordVisit(deps, caller.id))
}
