import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Id } from '#contract/common.ts'
import { LiveEvent } from '#contract/live.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'

/** Who receives the event: everyone who is signed in, or only these people. */
export type Audience = 'everyone' | readonly number[]

/** Features do not send `resync` and `heartbeat`; the streams do. */
export type Announcement = Exclude<LiveEvent, { kind: 'resync' | 'heartbeat' }>

/** Keeps a message below the size limit of the bus: an event about more files or people names none, or is sent in parts. */
export const MAX_IDS = 200

/**
 * Sends a live event to the open pages of these people on every server, after the transaction commits and never if it
 * rolls back.
 */
export async function announce(db: Database, tx: Tx, event: Announcement, to: Audience): Promise<void> {
  const published = 'ids' in event && event.ids.length > MAX_IDS ? { ...event, ids: [] } : event
  if (to === 'everyone') return db.publish(tx, writeBusMessage({ position: newPosition(), event: published, to }))
  const people = [...new Set(to)]
  for (let from = 0; from < people.length; from += MAX_IDS) {
    const some = people.slice(from, from + MAX_IDS)
    await db.publish(tx, writeBusMessage({ position: newPosition(), event: published, to: some }))
  }
}

/** Publishes the position at which this server subscribed, so that all servers know it. */
export async function publishPosition(db: Database): Promise<void> {
  await db.transaction(tx => db.publish(tx, writeBusMessage({ subscribedAt: newPosition() })))
}

/** Closes the streams of a session or a person on every server, after the transaction commits. */
export async function publishSessionEnd(db: Database, tx: Tx, ended: Ended): Promise<void> {
  await db.publish(tx, writeBusMessage({ ended }))
}

const Ended = z.union([z.object({ sessionId: z.string() }), z.object({ personId: Id })])
export type Ended = z.infer<typeof Ended>

/** Random and not a sequence: the order is only known once the bus delivers the messages. */
const Position = z.string().min(1)

const PublishedEvent = z.object({
  position: Position,
  event: LiveEvent,
  to: z.union([z.literal('everyone'), z.array(Id)]),
})
export type PublishedEvent = z.infer<typeof PublishedEvent>

/** Messages between servers about live streams. */
const BusMessage = z.union([
  PublishedEvent,
  z.object({ ended: Ended }),
  z.object({ subscribedAt: Position }).describe('A server subscribed at this position'),
])
export type BusMessage = z.infer<typeof BusMessage>

export function newPosition(): string {
  return randomBytes(9).toString('base64url')
}

export function writeBusMessage(message: BusMessage): string {
  return JSON.stringify(message)
}

/** Undefined for a message of another version that this one does not know. */
export function readBusMessage(text: string): BusMessage | undefined {
  try {
    return BusMessage.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
