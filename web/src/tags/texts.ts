import english from '#messages/en/tags.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('tags', english)
