import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AccessRequestStatus } from '#contract/auth.ts'
import { accessRequest } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { personById } from '../people/public.ts'

interface Deps {
  db: Database
  clock: Clock
  secret: Buffer
}

/** A ticket names the person who asked for access in this browser. It opens nothing: it only reads their status. */
export function issueTicket({ clock, secret }: Pick<Deps, 'clock' | 'secret'>, personId: number): string {
  const subject = `${personId}.${clock()}`
  return `${subject}.${sign(secret, subject)}`
}

/** What became of the request for access of this ticket. */
export async function readStatus(deps: Deps, ticket: string | undefined): Promise<AccessRequestStatus> {
  const personId = verifyTicket(deps, ticket)
  const person = personId === undefined ? undefined : await personById(deps.db.query, personId)
  if (!person || person.status === 'closed') throw new AppError('not_found', 'auth.nobodyAsked')
  // Whether access was denied or revoked is for the admins to know.
  const status = person.status === 'pending' || person.status === 'approved' ? person.status : 'denied'
  return { status, requested_at: toIso(person.requested_at) }
}

function verifyTicket({ clock, secret }: Deps, ticket: string | undefined): number | undefined {
  const [, subject, personId, issuedAt, signature] = /^((\d{1,15})\.(\d{1,15}))\.([\w-]{43})$/.exec(ticket ?? '') ?? []
  if (subject === undefined || signature === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, subject)))) return undefined
  return clock() - Number(issuedAt) > accessRequest.ttl ? undefined : Number(personId)
}

function sign(secret: Buffer, subject: string): string {
  return createHmac('sha256', secret).update(subject).digest('base64url')
}
