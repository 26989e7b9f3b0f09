import type { Generated } from 'kysely'
import type { AppPasswordScope } from '#contract/app-passwords.ts'
import type { SortField } from '#contract/media-list.ts'
import type { PersonStatus, StartView } from '#contract/people.ts'
import type { Role } from '#contract/role.ts'
import type { MutableKind, OptionalKind } from '#contract/settings.ts'
import type { Locale } from '#messages/locales.ts'

/** People and what concerns one person: how they sign in, their visits and their choices. */
export interface PeopleTables {
  people: PeopleTable
  email_claims: EmailClaimsTable
  invitations: InvitationsTable
  sessions: SessionsTable
  app_passwords: AppPasswordsTable
  sign_in_attempts: SignInAttemptsTable
  muted_notifications: MutedNotificationsTable
  wanted_notifications: WantedNotificationsTable
  visits: VisitsTable
  hidden_memory_days: HiddenMemoryDaysTable
  hidden_memories: HiddenMemoriesTable
  put_away_cards: PutAwayCardsTable
}

interface PeopleTable {
  id: Generated<number>
  issuer: string
  subject: string
  email: string
  username: string
  name: string
  /** The storage key of the copy of their picture. */
  avatar_key: string | null
  /** The source URL of the copy, to detect changes. */
  avatar_source: string | null
  role: Role
  /** `inactive`: a demo account while an identity provider is configured; `closed`: the person has left for good. */
  status: PersonStatus | 'inactive' | 'closed'
  /** The status to restore when the demo runs again. */
  active_status: PersonStatus | null
  requested_at: number
  reviewed_at: number | null
  /** Null if the configured e-mail lists decided, not a person. */
  reviewed_by: number | null
  /** The admin who gave the role; null if the configuration or an invitation did. */
  role_given_by: number | null
  /** The invitation that they last signed in through while their request was undecided. */
  invitation_id: number | null
  /** The name at the provider, while `name` is one that the person chose. */
  provider_name: string | null
  /** The URL of the picture at the provider. */
  provider_picture: string | null
  start_view: StartView | null
  start_sort: SortField | null
  /** Null: as their browser asks for. */
  language: Locale | null
}

/** A listed e-mail belongs to the first account that signed in with it. */
interface EmailClaimsTable {
  email: string
  person_id: number
}

interface InvitationsTable {
  id: Generated<number>
  token_hash: string
  /** To show the link again; null: it cannot be shown again. */
  encrypted_token: string | null
  /** Null: for anybody who has the link. */
  email: string | null
  role: Role
  /** 1: people are approved at once; 0: their requests wait for an admin. */
  auto_approve: number
  uses: Generated<number>
  created_by: number
  created_at: number
  expires_at: number
  ended_at: number | null
}

interface SessionsTable {
  token_hash: string
  person_id: number
  created_at: number
  last_used_at: number
  /** The hash of the cookie of the browser that began the sign-in. */
  browser_hash: string | null
  /** Until when that browser may confirm the sign-in. */
  confirm_until: number | null
  /** As in "Chrome on Android". */
  device: string | null
}

/** A password for programs. */
interface AppPasswordsTable {
  id: Generated<number>
  person_id: number
  token_hash: string
  name: string
  scope: AppPasswordScope
  created_at: number
  /** Null: never. */
  last_used_at: number | null
  last_used_address: string | null
}

interface SignInAttemptsTable {
  state_hash: string
  /** Binds the attempt to the browser that began it. */
  browser_hash: string
  nonce: string
  code_verifier: string
  created_at: number
  invitation_id: number | null
}

/** The notifications that a person does not want. */
interface MutedNotificationsTable {
  person_id: number
  kind: MutableKind
}

/** The notifications that a person has switched on. */
interface WantedNotificationsTable {
  person_id: number
  kind: OptionalKind
}

/** When a person was last there, and what concerns only today. */
interface VisitsTable {
  person_id: number
  /** When a page of theirs last said so. */
  seen_at: number | null
  /** The end of the visit before this one; null: there was none. */
  new_since: number | null
  /** Not used any more; a later release drops it. */
  memories_closed_day: number | null
  /** Days since 1970: the last day they were notified on. */
  memories_notified_day: number | null
}

/** What a person does not want to be reminded of. */
interface HiddenMemoryDaysTable {
  person_id: number
  /** Days since 1970. */
  day: number
  hidden_at: number
}

interface HiddenMemoriesTable {
  person_id: number
  media_id: number
  hidden_at: number
}

/** The cards above the photos that a person has put away. */
interface PutAwayCardsTable {
  person_id: number
  /** Which one, as in `CardKey` of the contract. */
  card: string
  /** Of the newest thing it showed: the card is shown again with something newer. */
  until: number
  put_away_at: number
}
