import english from '#messages/en/outbox.json' with { type: 'json' }
import { translated } from '../messages.ts'

export const texts = translated('outbox', english)
