import english from '#messages/en/emergency-sheet.json' with { type: 'json' }
import { translated } from '../../kit/messages.ts'

export const texts = translated('emergency-sheet', english)
