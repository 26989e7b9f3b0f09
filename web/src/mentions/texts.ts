import english from '#messages/en/mentions.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('mentions', english)
