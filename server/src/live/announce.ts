import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Id } from '#contract/common.ts'
import { LiveEvent } from '#contract/live.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'

/** Everyone who is signed in, or these people alone: those who may know that it changed. */
export type Audience = 'everyone' | readonly number[]

/** Whether something was missed is for the streams to say, not for a feature. */
export type Announcement = Exclude<LiveEvent, { kind: 'resync' | 'beat' }>

/** So many ids leave room for so many people in what the bus carries at once. */
const MAX_IDS = 200

/**
 * Tells the open pages of these people, on every server, what changed: once the transaction is committed, and never
 * when it is not.
 */
export async function announce(db: Database, tx: Tx, event: Announcement, to: Audience): Promise<void> {
  const published = event.kind === 'media' && event.ids.length > MAX_IDS ? { ...event, ids: [] } : event
  if (to === 'everyone') return db.publish(tx, writeBusMessage({ position: newPosition(), event: published, to }))
  const people = [...new Set(to)]
  for (let from = 0; from < people.length; from += MAX_IDS) {
    const some = people.slice(from, from + MAX_IDS)
    await db.publish(tx, writeBusMessage({ position: newPosition(), event: published, to: some }))
  }
}

/** Says where a server began to hear, so that all of them know that place. */
export async function publishMark(db: Database): Promise<void> {
  await db.transaction(tx => db.publish(tx, writeBusMessage({ mark: newPosition() })))
}

/** Ends the streams of a session or a person, on every server, once the transaction is committed. */
export async function publishSessionEnd(db: Database, tx: Tx, ended: Ended): Promise<void> {
  await db.publish(tx, writeBusMessage({ ended }))
}

const Ended = z.union([z.object({ sessionId: z.string() }), z.object({ personId: Id })])
export type Ended = z.infer<typeof Ended>

/** By chance, not by counting: every server hears them in the same order, but nobody knows it when they are given. */
const Position = z.string().min(1)

const PublishedEvent = z.object({
  position: Position,
  event: LiveEvent,
  to: z.union([z.literal('everyone'), z.array(Id)]),
})
export type PublishedEvent = z.infer<typeof PublishedEvent>

/** What servers tell each other about live streams. */
const BusMessage = z.union([
  PublishedEvent,
  z.object({ ended: Ended }),
  z.object({ mark: Position }).describe('A server begins to hear: all of them know this place'),
])
export type BusMessage = z.infer<typeof BusMessage>

export function newPosition(): string {
  return randomBytes(9).toString('base64url')
}

export function writeBusMessage(message: BusMessage): string {
  return JSON.stringify(message)
}

/** Undefined for what a server of another version said and this one does not understand. */
export function readBusMessage(text: string): BusMessage | undefined {
  try {
    return BusMessage.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
