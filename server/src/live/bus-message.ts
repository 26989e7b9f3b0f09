import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Id } from '#contract/common.ts'
import { LiveEvent } from '#contract/live.ts'

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
