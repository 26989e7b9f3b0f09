import type { Database } from '../db/database.ts'
import type { NewNotification, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { announce } from '../live/announce.ts'
import { approvedAmong, insertNotifications } from './notifications.sql.ts'

export interface NotifyDeps {
  db: Database
  clock: Clock
}

type About = Omit<NewNotification, 'person_id' | 'type' | 'actor_id' | 'created_at' | 'read_at'>

export interface Heard {
  /** Who did it, and so does not hear of it; null for the product itself. */
  actorId: number | null
  about: About
  /** Who hears of it as what. One act gives a person one notification. */
  by: ReadonlyMap<number, NewNotification['type']>
}

/** Writes down what people will read, in the transaction of the act itself. Only who is let in hears anything. */
export async function notify({ db, clock }: NotifyDeps, tx: Tx, { actorId, about, by }: Heard): Promise<void> {
  const others = [...by.keys()].filter(id => id !== actorId)
  const listeners = await approvedAmong(tx, others)
  if (listeners.length === 0) return
  await insertNotifications(
    tx,
    listeners.map(person_id => ({
      ...about,
      person_id,
      type: by.get(person_id) ?? 'other',
      actor_id: actorId,
      created_at: clock(),
    })),
  )
  await announce(db, tx, { kind: 'notifications' }, listeners)
}
