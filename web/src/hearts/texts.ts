import english from '#messages/en/hearts.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('hearts', english)
