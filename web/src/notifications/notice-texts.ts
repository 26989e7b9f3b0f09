import english from '#messages/en/notices.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('notices', english)
