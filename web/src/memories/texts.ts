import english from '#messages/en/memories.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('memories', english)
