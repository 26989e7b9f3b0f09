import type { FastifyInstance } from 'fastify'
import { listActivity, listActivityFiles } from '#contract/admin.ts'
import type { Database } from '../db/database.ts'
import type { Handle } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import { type Caller, serve } from '../kit/serve.ts'
import { activity, filesOfLine } from './audit.sql.ts'

export interface AuditDeps {
  db: Database
  /** The e-mails of people whose name somebody else has too, by id. */
  emailsOfNamesakes(handle: Handle, caller: Caller): Promise<ReadonlyMap<number, string>>
}

export function auditRoutes(app: FastifyInstance, { db, emailsOfNamesakes }: AuditDeps): void {
  serve(app, listActivity, async ({ query, caller }) => {
    const lines = await activity(db.query, {
      limit: query.limit,
      before: query.before,
      personId: query.person_id,
      mediaId: query.media_id,
    })
    const emails = await emailsOfNamesakes(db.query, caller)
    return lines.map(line => ({
      id: line.id,
      at: toIso(line.at),
      actor:
        line.actor_id === null
          ? null
          : {
              id: line.actor_id,
              username: line.actor_username ?? '',
              name: line.actor_name ?? '',
              email: emails.get(line.actor_id),
            },
      act: line.act,
      subject_type: line.subject_type,
      subject_id: line.subject_id,
      subject_name: line.subject_name,
      subject_email: line.subject_type === 'person' ? emails.get(line.subject_id) : undefined,
      ...about(line),
    }))
  })
  serve(app, listActivityFiles, async ({ params, query: { limit, after } }) => {
    const files = await filesOfLine(db.query, params.id, after === undefined ? { limit } : { limit, after })
    return files.map(({ before, name, ...file }) => ({ ...file, name: name ?? nameBefore(before) }))
  })
}

type Line = Awaited<ReturnType<typeof activity>>[number]

const ofOne = { files: null, videos: 0 }

/** What a line is about: one file of an act on several, if that was asked for; or all of them. */
function about({ act, before: all, file_before, files, videos, undone }: Line) {
  const before = parse(all)
  if (files === null) return { before, ...ofOne }
  const isUndo = act === 'media.undo'
  if (file_before !== null) return { before: isUndo ? before : { ...before, ...parse(file_before) }, ...ofOne }
  return { before, files: isUndo ? undone : files, videos: videos ?? 0 }
}

function parse(json: string | null): Record<string, unknown> | null {
  return json === null ? null : JSON.parse(json)
}

/** Of a file that was removed for good. */
function nameBefore(before: string | null): string | null {
  const name = parse(before)?.name
  return typeof name === 'string' ? name : null
}
