import english from '#messages/en/keep.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('keep', english)
