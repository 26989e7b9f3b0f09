import { z } from 'zod'
import { Id } from '#contract/common.ts'
import { LiveEvent } from '#contract/live.ts'

const Ended = z.union([z.object({ sessionId: z.string() }), z.object({ personId: Id })])
export type Ended = z.infer<typeof Ended>

/** What servers tell each other about live streams. */
const BusMessage = z.union([
  z.object({ event: LiveEvent, to: z.union([z.literal('everyone'), z.array(Id)]) }),
  z.object({ ended: Ended }),
])
export type BusMessage = z.infer<typeof BusMessage>

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
