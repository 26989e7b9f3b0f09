import english from '#messages/en/dates.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('dates', english)
