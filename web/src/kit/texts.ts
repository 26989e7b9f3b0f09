import english from '#messages/en/kit.json' with { type: 'json' }
import { translated } from './messages.ts'

export const texts = translated('kit', english)
