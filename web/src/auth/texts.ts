import english from '#messages/en/auth.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('auth', english)
