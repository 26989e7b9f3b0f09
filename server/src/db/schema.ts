import type { Generated, Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { PersonStatus } from '#contract/people.ts'
import type { Role } from '#contract/rights.ts'

/** Times are epoch milliseconds, JSON is text, and a thing that happened is a time rather than a yes: the same in both engines. */
export interface Schema {
  people: PeopleTable
  email_claims: EmailClaimsTable
  sessions: SessionsTable
  sign_in_attempts: SignInAttemptsTable
  audit: AuditTable
  settings: SettingsTable
  jobs: JobsTable
}

/** For reading, and for writing one thing; several belong in `Database.write`. */
export type Handle = Kysely<Schema>
export type Tx = Transaction<Schema>

interface PeopleTable {
  id: Generated<number>
  issuer: string
  subject: string
  email: string
  username: string
  name: string
  /** Where the copy of their picture lies in storage. */
  avatar_key: string | null
  /** The address the copy was made from, to see when it changes. */
  avatar_source: string | null
  role: Role
  status: PersonStatus
  requested_at: number
  reviewed_at: number | null
  /** Null where the lists of e-mails decided, not a person. */
  reviewed_by: number | null
}

/** A listed e-mail belongs to the first account that brought it verified. */
interface EmailClaimsTable {
  email: string
  person_id: number
}

interface SessionsTable {
  token_hash: string
  person_id: number
  created_at: number
  last_used_at: number
}

interface SignInAttemptsTable {
  state_hash: string
  /** Binds the attempt to the browser that began it. */
  browser_hash: string
  nonce: string
  code_verifier: string
  created_at: number
}

interface AuditTable {
  id: Generated<number>
  at: number
  /** Null for what the product did by itself. */
  actor_id: number | null
  act: string
  subject_type: string
  subject_id: number
  /** What was there before, as JSON. */
  before: string | null
}

interface SettingsTable {
  name: string
  value: string
}

interface JobsTable {
  id: Generated<number>
  name: string
  payload: string
  /** Lower goes first. */
  priority: number
  run_at: number
  attempts: number
  /** Whose claim it is and until when; both null while nobody works on it. */
  claim: string | null
  claimed_until: number | null
  failed_at: number | null
  failure: string | null
  /** At most one job with the same key waits at a time. */
  unique_key: string | null
}

export type PersonRow = Selectable<PeopleTable>
export type NewPerson = Insertable<PeopleTable>
export type JobRow = Selectable<JobsTable>
