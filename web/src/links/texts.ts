import english from '#messages/en/links.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('links', english)
