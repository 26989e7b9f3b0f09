import { DAY } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Queue } from '../jobs/queue.ts'
import { defineJob } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { memoriesForMail } from '../media/public.ts'
import { wallClockIn } from '../processing/dates/time-zones.ts'
import {
  type Period,
  selectHearts,
  selectNewAlbums,
  selectNotes,
  selectPictures,
  selectUploaders,
} from './digest.sql.ts'
import { removeOldMails } from './outbox.sql.ts'
import type { Outbox } from './outbox.ts'
import { claimDigest, peopleWithDigest } from './recipients.sql.ts'

export type DigestContent = Awaited<ReturnType<typeof collectDigest>>

/** What a digest tells. Memories are of the day on which it ends. */
export async function collectDigest(db: Database, period: Period, homeTimeZone: string) {
  const handle = db.query
  const today = localDay(homeTimeZone, period.until)
  const [uploaders, pictures, notes, hearts, albums, memories] = await Promise.all([
    selectUploaders(handle, period),
    selectPictures(handle, period),
    selectNotes(handle, period),
    selectHearts(handle, period),
    selectNewAlbums(handle, period),
    memoriesForMail(db, period.personId, today),
  ])
  return { uploaders, pictures, notes, hearts, albums, memories }
}

/** Memories alone are no news: they would make a mail of almost every day. */
export function isNews({ uploaders, notes, hearts, albums }: DigestContent): boolean {
  return [uploaders, notes, hearts, albums].some(({ length }) => length > 0)
}

/** As in "2026-11-19". */
export function localDay(homeTimeZone: string, moment: number): string {
  return wallClockIn(homeTimeZone, moment)?.local.slice(0, 10) ?? new Date(moment).toISOString().slice(0, 10)
}

export function dayNumber(date: string): number {
  return Date.parse(date) / DAY
}

const digests = defineJob<null>('mail.digests', { everyMs: DAY / 48 })

/** In the home time zone, so that mails do not arrive at night. */
const FROM = 'T07:00'
const SUNDAY = 0

export interface ScheduleDeps {
  db: Database
  clock: Clock
  outbox: Pick<Outbox, 'add'>
  config: { homeTimeZone: string }
}

/** Daily digests in the morning, weekly ones on Sundays. Nothing if nothing happened. */
export function handleDigests(queue: Queue, { db, clock, outbox, config }: ScheduleDeps): void {
  queue.handle(digests, {
    async run(_, { signal }) {
      const until = clock()
      await removeOldMails(db.query, until)
      const local = wallClockIn(config.homeTimeZone, until)?.local
      if (local === undefined || local.slice(10) < FROM) return
      const today = dayNumber(local.slice(0, 10))
      const isSunday = new Date(today * DAY).getUTCDay() === SUNDAY
      for (const { id, digest, digest_since, digest_day } of await peopleWithDigest(db.query, today)) {
        signal.throwIfAborted()
        // After a week also on another day: the server may have been off on Sunday.
        if (digest === 'weekly' && !isSunday && today - (digest_day ?? 0) < 7) continue
        const since = digest_since ?? until
        const content = await collectDigest(db, { personId: id, since, until }, config.homeTimeZone)
        await db.transaction(async tx => {
          if (!(await claimDigest(tx, id, { today, until }))) return
          if (isNews(content)) await outbox.add(tx, 'digest', { since, until }, { to: id })
        })
      }
    },
  })
}
