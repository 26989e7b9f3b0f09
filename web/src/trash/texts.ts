import english from '#messages/en/trash.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('trash', english)
