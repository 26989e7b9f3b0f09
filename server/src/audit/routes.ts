import type { FastifyInstance } from 'fastify'
import { listActivity } from '#contract/admin.ts'
import type { Database } from '../db/database.ts'
import { toIso } from '../kit/clock.ts'
import { serve } from '../kit/serve.ts'
import { activity } from './audit.sql.ts'

export function auditRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  serve(app, listActivity, async ({ query }) => {
    const lines = await activity(db.query, {
      limit: query.limit,
      before: query.before,
      personId: query.person_id,
      mediaId: query.media_id,
    })
    return lines.map(line => ({
      id: line.id,
      at: toIso(line.at),
      actor:
        line.actor_id === null
          ? null
          : { id: line.actor_id, username: line.actor_username ?? '', name: line.actor_name ?? '' },
      act: line.act,
      subject_type: line.subject_type,
      subject_id: line.subject_id,
      subject_name: line.subject_name,
      before: line.before === null ? null : JSON.parse(line.before),
    }))
  })
}
