import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { listMessages, sendMessage, startDirect } from '#contract/chat.ts'
import { listNotifications } from '#contract/notifications.ts'
import { CallRefused } from '../visitor.ts'
import type { ClusterPerson } from './cluster.ts'

/** Below the write rate limit of one account. */
const PAUSE_MS = 120

/** A person who sends messages continuously, retries those that were not acknowledged, and records those that were. */
export class ChatBurst {
  readonly #sender: ClusterPerson
  readonly #reader: ClusterPerson
  readonly #conversation: number
  readonly #acknowledged = new Set<string>()
  readonly #sent = new Set<string>()

  private constructor(sender: ClusterPerson, reader: ClusterPerson, conversation: number) {
    this.#sender = sender
    this.#reader = reader
    this.#conversation = conversation
  }

  static async prepare(sender: ClusterPerson, reader: ClusterPerson): Promise<ChatBurst> {
    const { id } = await sender.call(startDirect, { body: { otherUserId: reader.id } })
    return new ChatBurst(sender, reader, id)
  }

  async talk(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const clientId = randomUUID()
      this.#sent.add(clientId)
      while (!signal.aborted && !(await this.#say(clientId))) await wait(PAUSE_MS)
      await wait(PAUSE_MS)
    }
  }

  async #say(client_id: string): Promise<boolean> {
    try {
      await this.#sender.call(sendMessage, {
        params: { id: this.#conversation },
        body: { content: `message ${client_id}`, client_id },
      })
      this.#acknowledged.add(client_id)
      return true
    } catch (error) {
      // A server that is gone or answers 503: the page shows 'Not sent' and retries.
      if (error instanceof CallRefused && error.status !== 503) throw error
      return false
    }
  }

  /** Every acknowledged message exists exactly once, and no other does. */
  async verify(): Promise<void> {
    const messages = await this.#reader.call(listMessages, { params: { id: this.#conversation }, query: {} })
    const there = messages.map(message => message.client_id ?? '')
    expect(new Set(there).size, 'no message is doubled').toBe(there.length)
    for (const id of this.#acknowledged) expect(there, 'an acknowledged message is there').toContain(id)
    for (const id of there) expect(this.#sent.has(id), 'nothing is there that nobody sent').toBe(true)
    const notifications = await this.#reader.call(listNotifications, { query: {} })
    const ofThis = notifications.filter(({ type }) => type === 'message')
    expect(ofThis, 'one notification tells of the conversation').toHaveLength(there.length > 0 ? 1 : 0)
    expect(this.#acknowledged.size).toBeGreaterThan(0)
  }
}
