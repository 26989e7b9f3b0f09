import { randomUUID } from 'node:crypto'
import { webdav } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { deleteExpiredLocks, insertLock, type Lock, locksOf, renewLock } from './inbox.sql.ts'

interface LockDeps {
  db: Database
  clock: Clock
}

export interface LockRequest {
  personId: number
  path: string
  owner: string
  /** What the client asks for, in milliseconds. */
  wanted: number | undefined
  /** The tokens of its `If` header: one of this path is renewed. */
  tokens: ReadonlySet<string>
}

/** Every lock is exclusive, for writing, and of all that is below. They are between the devices of one person. */
export async function takeLock({ db, clock }: LockDeps, request: LockRequest): Promise<Lock> {
  const { personId, path, owner, wanted = webdav.lockTtl, tokens } = request
  const now = clock()
  const expiresAt = now + Math.min(wanted, webdav.lockTtl)
  return db.transaction(async tx => {
    await db.advisoryLock(tx, 'webdav-locks')
    await deleteExpiredLocks(tx, now)
    const locks = await locksOf(tx, personId, now)
    const own = locks.find(lock => lock.path === path && tokens.has(lock.token))
    if (own) {
      await renewLock(tx, own.token, expiresAt)
      return { ...own, expires_at: expiresAt }
    }
    if (locks.some(lock => isWithin(lock.path, path) || isWithin(path, lock.path))) throw locked()
    if (locks.length >= webdav.locks) throw new AppError('too_many_requests', 'webdav.manyLocks')
    const lock = { token: `opaquelocktoken:${randomUUID()}`, person_id: personId, path, owner, expires_at: expiresAt }
    await insertLock(tx, lock)
    return lock
  })
}

/** Throws if another device has locked this path, something above it or, for a whole folder, below it. */
export async function requireUnlocked(
  { db, clock }: LockDeps,
  personId: number,
  path: string,
  tokens: ReadonlySet<string>,
  { below = false } = {},
): Promise<void> {
  const locks = await locksOf(db.query, personId, clock())
  const inTheWay = locks.filter(lock => isWithin(lock.path, path) || (below && isWithin(path, lock.path)))
  if (inTheWay.some(lock => !tokens.has(lock.token))) throw locked()
}

/** Whether a path is this folder or below it; the inbox itself is the empty path. */
function isWithin(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

function locked(): AppError {
  return new AppError('locked', 'webdav.locked')
}

/** The tokens of an `If` header. Its other conditions are not evaluated. */
export function tokensIn(header: string | undefined): Set<string> {
  return new Set(header?.slice(0, 10_000).match(/opaquelocktoken:[\w-]+/g))
}

export function lockTimeout(header: string | undefined): number | undefined {
  const seconds = /Second-(\d{1,10})/i.exec(header ?? '')?.[1]
  return seconds === undefined ? undefined : Math.max(1, Number(seconds)) * 1000
}
