import english from '#messages/en/exports.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('exports', english)
