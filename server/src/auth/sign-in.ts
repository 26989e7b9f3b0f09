import { callbackPagePath, type LoginError, unusedInvitationParam } from '#contract/auth.ts'
import { rateLimits, signInAttempt } from '#contract/limits.ts'
import type { Locale } from '#messages/locales.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { PersonRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import { hashToken } from '../kit/tokens.ts'
import type { Notified } from '../notifications/public.ts'
import { admit, type ListedEmails } from '../people/public.ts'
import type { Provider, ProviderAccount } from './provider.ts'
import { insertAttempt, type SignInAttempt, takeAttempt } from './sessions.sql.ts'
import { startSession } from './sessions.ts'

export interface SignInDeps {
  db: Database
  clock: Clock
  limiter: RateLimiter
  provider: Provider
  lists: ListedEmails
  notified?: Notified
  /** Called once the provider identified the person, whether or not they are approved; e.g. to copy their picture. */
  identified(tx: Tx, person: PersonRow, account: ProviderAccount, browser: SigningBrowser): Promise<void>
  log: { warn(context: object, message: string): void }
}

/** What the request of a sign-in says of its browser. */
export interface SigningBrowser {
  device: string | null
  locale: Locale
}

/** The possible values of `error` in the URL of the callback page. */
type Failure = 'cancelled' | 'expired' | 'provider_unreachable' | 'provider_failed'

/** Stores the attempt and returns the provider's URL to redirect to, or the page that explains the failure. */
export async function beginSignIn(
  deps: SignInDeps,
  browserToken: string,
  options: { again: boolean; invitationId: number | null },
): Promise<string> {
  const started = await deps.provider.begin(options).catch(error => {
    deps.log.warn({ err: error }, 'the identity provider could not be reached')
    return undefined
  })
  if (!started) return failed('provider_unreachable')
  const { url, secrets } = started
  await insertAttempt(deps.db.query, {
    state_hash: hashToken(secrets.state),
    browser_hash: hashToken(browserToken),
    nonce: secrets.nonce,
    code_verifier: secrets.codeVerifier,
    created_at: deps.clock(),
    invitation_id: options.invitationId,
  })
  return url.href
}

/** Where a sign-in ends. */
export interface Landing {
  to: string
  /** Who waits for approval now; null: nobody any more; undefined: as before. */
  waiting?: number | null
  /** Whether the invitation was not used, because it is for another e-mail address or has ended. */
  unusedInvitation?: boolean
}

/** Handles the provider's callback: a session, a pending request or an error. */
export async function finishSignIn(
  deps: SignInDeps,
  returned: URL,
  browserToken: string | undefined,
  browser: SigningBrowser,
): Promise<Landing> {
  const state = returned.searchParams.get('state')
  const attempt = state ? await takeAttempt(deps.db.query, hashToken(state)) : undefined
  if (!state || !attempt) return { to: failed('expired') }
  // Prevents login CSRF: a link of somebody else must not sign this browser in as them.
  if (!browserToken || attempt.browser_hash !== hashToken(browserToken)) return { to: failed('expired') }
  if (deps.clock() - attempt.created_at > signInAttempt.ttl) return { to: failed('expired') }
  if (returned.searchParams.get('error') === 'access_denied') return { to: failed('cancelled') }

  let account: ProviderAccount
  try {
    account = await deps.provider.finish(returned, {
      state,
      nonce: attempt.nonce,
      codeVerifier: attempt.code_verifier,
    })
  } catch (error) {
    deps.log.warn({ err: error }, 'the identity provider refused a sign-in')
    return { to: failed('provider_failed') }
  }
  if (!account.emailVerified) return { to: refused('auth_failed') }
  await deps.limiter.hit(`sign-in:account:${account.subject}`, rateLimits.signIn)
  return signInAccount(deps, account, attempt, browser)
}

async function signInAccount(
  deps: SignInDeps,
  account: ProviderAccount,
  { browser_hash, invitation_id }: SignInAttempt,
  browser: SigningBrowser,
): Promise<Landing> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const person = await admit(
      db,
      clock,
      deps.lists,
      tx,
      { issuer: deps.provider.accountIssuer, ...account },
      invitation_id,
      deps,
    )
    await deps.identified(tx, person, account, browser)
    if (person.status === 'pending') {
      const unusedInvitation = invitation_id !== null && person.invitation_id !== invitation_id
      const to = refused('pending_approval', unusedInvitation)
      return { to, waiting: person.id, unusedInvitation }
    }
    if (person.status !== 'approved') return { to: refused('auth_failed') }
    const token = await startSession(deps, tx, person.id, { hash: browser_hash, device: browser.device })
    await recordAudit(tx, [
      { at: clock(), actorId: person.id, act: 'session.start', subject: { type: 'person', id: person.id } },
    ])
    return { to: `${callbackPagePath}?${new URLSearchParams({ token })}`, waiting: null }
  })
}

function failed(error: Failure): string {
  return `${callbackPagePath}?${new URLSearchParams({ error })}`
}

export function refused(error: LoginError, unusedInvitation = false): string {
  return `/login?${new URLSearchParams({ error, ...(unusedInvitation ? { [unusedInvitationParam]: 'unused' } : {}) })}`
}
