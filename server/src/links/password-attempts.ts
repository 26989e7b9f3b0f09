import { linkPasswords as limits, rateLimits } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import type { KeyedMutex } from '../kit/keyed-mutex.ts'
import { tooManyRequests } from '../kit/rate-limiter.ts'
import { nobodyWaits } from '../kit/read-limits.ts'
import type { WaitingGuest } from './guest-mutex.ts'
import {
  deleteFailures,
  type Failures,
  insertFailures,
  removeFailure,
  selectFailures,
} from './password-attempts.sql.ts'

interface AttemptDeps {
  db: Database
  clock: Clock
  /** One attempt at a time; addresses take turns. */
  passwordMutex: KeyedMutex<string>
}

/** Where an attempt comes from. */
interface Source extends WaitingGuest {
  /** The /48 network of an IPv6 address; undefined for IPv4. */
  network: string | undefined
}

interface Rule {
  free: number
  longestDelay: number
  remembered: number
}

/**
 * Checks a password, unless too many wrong ones were tried. Attempts count as wrong before they are checked, so that many
 * at the same moment are no way around; in the database, for all servers and after a restart. Those of one address are
 * checked one after the other, so that many right ones at the same moment do not count as wrong for each other. Those of
 * all addresses too: hundreds at once would take all connections to the database and all threads that read files.
 */
export function checkPassword(
  deps: AttemptDeps,
  linkId: number,
  source: Source,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  return deps.passwordMutex.run(`${linkId} ${source.address}`, () =>
    deps.passwordMutex.run('all', async () => {
      if (source.isGone()) throw nobodyWaits()
      return attempt(deps, linkId, source, isRight)
    }),
  )
}

async function attempt(
  deps: AttemptDeps,
  linkId: number,
  source: Source,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const counted = await countAttempt(deps, linkId, source)
  if (!(await isRight())) return false
  const { query } = deps.db
  // Guests behind one address, as at a wedding, are many people.
  await deleteFailures(query, counted.addressKey)
  for (const { added, before } of counted.others) await removeFailure(query, added, before)
  return true
}

async function countAttempt(
  { db, clock }: Pick<AttemptDeps, 'db' | 'clock'>,
  linkId: number,
  { address, network }: Source,
) {
  const keyOf = (counted: string) => `link-password:${linkId}:${counted}`
  const addressKey = keyOf(address)
  const networkKey = keyOf(network ?? address)
  return db.transaction(async tx => {
    await db.advisoryLock(tx, `passwords of link ${linkId}`)
    const now = clock()
    const minute = minuteOf(now)
    const keys = [addressKey, networkKey, keyOf('new'), keyOf('known')]
    const counted = new Map((await selectFailures(tx, keys, minute)).map(row => [row.key, row]))
    // Reserves attempts for guests while somebody else guesses.
    const isNew = (counted.get(addressKey)?.hits ?? 0) < limits.newAddress
    const rules = new Map<string, Rule>([
      [networkKey, limits.ofNetwork],
      [addressKey, limits.ofAddress],
      isNew ? [keyOf('new'), limits.ofNewAddresses] : [keyOf('known'), limits.ofKnownAddresses],
    ])
    const attempts = Array.from(rules, ([key, rule]) => {
      const before = counted.get(key)
      if (before) requireDelay(before, rule, now)
      return { added: { key, hits: (before?.hits ?? 0) + 1, forgottenAfter: minute + rule.remembered }, before }
    })
    const added = attempts.map(({ added }) => added)
    await insertFailures(tx, added, minute)
    return { addressKey, others: attempts.filter(({ added }) => added.key !== addressKey) }
  })
}

function requireDelay({ hits, forgottenAfter }: Failures, { free, longestDelay, remembered }: Rule, now: number): void {
  if (hits < free) return
  const lastMinute = forgottenAfter - remembered
  const until = lastMinute + Math.min(2 ** (hits - free), longestDelay)
  if (minuteOf(now) < until) throw tooManyRequests(Math.ceil((until * rateLimits.window - now) / 1000))
}

/** The unit of the table of rate limits. */
function minuteOf(time: number): number {
  return Math.floor(time / rateLimits.window)
}
