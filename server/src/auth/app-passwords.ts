import { setTimeout } from 'node:timers/promises'
import type { AppPassword, createAppPassword } from '#contract/app-passwords.ts'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import { appPasswords as limits } from '#contract/limits.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { CostLimiter } from '../kit/cost-limiter.ts'
import { AppError } from '../kit/errors.ts'
import { addressGroup, addressNetwork } from '../kit/ip-addresses.ts'
import { setLru } from '../kit/lru.ts'
import { type Caller, requireRight } from '../kit/serve.ts'
import { hashToken, isAppPassword, newAppPassword } from '../kit/tokens.ts'
import { announce, publishSessionEnd } from '../live/announce.ts'
import { personById } from '../people/public.ts'
import {
  appPasswordsOf,
  deleteAppPassword,
  findAppPasswords,
  insertAppPassword,
  touchAppPassword,
} from './app-passwords.sql.ts'

interface Deps {
  db: Database
  clock: Clock
}

interface CheckDeps extends Deps {
  config: { oidc: unknown }
}

export interface AppPasswords {
  /**
   * The person of this app password, with its scope; undefined if it is wrong. Throws 429 after many wrong ones of this
   * address. With `username`, as of Basic authentication, it has to be the username or the e-mail address of the person.
   */
  check(password: string, address: string, username?: string): Promise<AppCaller | undefined>
}

export type AppCaller = Required<Caller>

/** Bounds the memory, like the number of addresses of `CostLimiter`. */
const MAX_SEEN = 20_000
const LONGEST_WAIT = 1_000

export function openAppPasswords({ db, clock, config }: CheckDeps): AppPasswords {
  const ofAddress = new CostLimiter(limits.guesses.ofAddress, clock)
  const ofNetwork = new CostLimiter(limits.guesses.ofNetwork, clock)
  /**
   * Whether they were right when they were last used. Right ones are not counted as guesses, so that others behind the same
   * address can be used while somebody guesses; nor are wrong ones again, as of a phone that goes on using an ended one.
   */
  const seen = new Map<string, boolean>()
  const storing = new Set<number>()

  /** Waits only briefly, because on SQLite it waits for every other change. */
  async function storeUse(id: number, at: number, address: string): Promise<void> {
    if (storing.has(id)) return
    storing.add(id)
    const stored = touchAppPassword(db.query, id, at, address)
      // The next request tries again.
      .catch(() => undefined)
      .finally(() => storing.delete(id))
    await Promise.race([stored, setTimeout(LONGEST_WAIT, undefined, { ref: false })])
  }

  async function find(tokenHash: string, username: string | undefined) {
    const [found] = await findAppPasswords(db.query, [tokenHash], { admitsDemo: config.oidc === undefined })
    const name = username?.toLowerCase()
    const isTheirs = found && [undefined, found.username.toLowerCase(), found.email.toLowerCase()].includes(name)
    return isTheirs ? found : undefined
  }

  return {
    async check(password, address, username) {
      const tokenHash = hashToken(password.toLowerCase())
      const key = hashToken(`${username?.toLowerCase() ?? ''} ${tokenHash}`)
      const [group, network] = [addressGroup(address), addressNetwork(address)]
      if (seen.get(key) === false) return undefined
      const isNew = !seen.has(key)
      if (isNew) {
        ofAddress.spend(group, 1)
        if (network) ofNetwork.spend(network, 1)
      }
      const found = isAppPassword(password) ? await find(tokenHash, username) : undefined
      setLru(seen, MAX_SEEN, key, found !== undefined)
      if (!found) return undefined
      if (isNew) {
        ofAddress.refund(group, 1)
        if (network) ofNetwork.refund(network, 1)
      }
      const now = clock()
      if (now - (found.last_used_at ?? 0) > limits.touchEvery) await storeUse(found.id, now, address)
      return { id: found.person_id, role: found.role, sessionId: tokenHash, scope: found.scope }
    },
  }
}

/** Without when it was used. */
function present(row: Omit<AppPassword, 'created_at' | 'last_used_at'> & Used): AppPassword {
  const lastUsed = row.last_used_at === null ? null : toIso(row.last_used_at)
  return { ...row, created_at: toIso(row.created_at), last_used_at: lastUsed }
}

interface Used {
  created_at: number
  last_used_at: number | null
}

export async function listOwnAppPasswords({ db }: Deps, caller: Caller): Promise<AppPassword[]> {
  return (await appPasswordsOf(db.query, caller.id)).map(present)
}

export async function makeAppPassword(
  { db, clock }: Deps,
  caller: Caller,
  { name, scope }: ParsedInput<typeof createAppPassword>['body'],
): Promise<Answer<typeof createAppPassword>> {
  const password = newAppPassword()
  const row = await db.transaction(async tx => {
    // Somebody who loses access at the same moment must not leave a password behind.
    await db.advisoryLock(tx, 'admins')
    const person = await personById(tx, caller.id)
    if (person?.status !== 'approved') throw new AppError('access_denied', 'auth.accessEnded')
    if (scope === 'upload') requireRight(person, 'media.upload')
    const count = (await appPasswordsOf(tx, caller.id)).length
    if (count >= limits.perPerson) throw new AppError('conflict', 'passwords.tooMany', { count: limits.perPerson })
    const values = { person_id: caller.id, name, scope, created_at: clock() }
    const inserted = await insertAppPassword(tx, { ...values, token_hash: hashToken(password) })
    await recordAudit(tx, [auditLine('app-password.create', caller, clock(), name)])
    await announce(db, tx, { kind: 'people' }, [caller.id])
    return inserted
  })
  return { app_password: present(row), password }
}

export async function endOwnAppPassword({ db, clock }: Deps, caller: Caller, id: number): Promise<void> {
  await db.transaction(async tx => {
    const ended = await deleteAppPassword(tx, caller.id, id)
    if (!ended) throw new AppError('not_found', 'passwords.missing')
    await publishSessionEnd(db, tx, { sessionId: ended.token_hash })
    await recordAudit(tx, [auditLine('app-password.end', caller, clock(), ended.name)])
    await announce(db, tx, { kind: 'people' }, [caller.id])
  })
}

function auditLine(act: 'app-password.create' | 'app-password.end', { id }: Caller, at: number, name: string) {
  return { at, actorId: id, act, subject: { type: 'person', id }, before: { name } }
}
