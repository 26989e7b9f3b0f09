import type { Database } from '../db/database.ts'
import type { NewNotification, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { announce } from '../live/announce.ts'
import { type About, insertNotifications } from './notifications.sql.ts'

export interface NotifyDeps {
  db: Database
  clock: Clock
}

export interface Heard {
  /** Who did it, and so does not hear of it; null for the product itself. */
  actorId: number | null
  about: About
  /** Who hears of it as what. One act gives a person one notification. */
  by: ReadonlyMap<number, NewNotification['type']>
}

/** Writes down what people will read, in the transaction of the act itself. Only who is let in hears anything. */
export async function notify({ db, clock }: NotifyDeps, tx: Tx, { actorId, about, by }: Heard): Promise<void> {
  const others = Map.groupBy(
    [...by].filter(([id]) => id !== actorId),
    ([, type]) => type,
  )
  const listeners: number[] = []
  for (const [type, those] of others) {
    const told = { ...about, type, actor_id: actorId, created_at: clock() }
    const ids = those.map(([id]) => id)
    listeners.push(...(await insertNotifications(tx, told, ids)))
  }
  if (listeners.length > 0) await announce(db, tx, { kind: 'notifications' }, listeners)
}
