import english from '#messages/en/chat.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('chat', english)
