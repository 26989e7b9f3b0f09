import english from '#messages/en/date-words.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('date-words', english)
