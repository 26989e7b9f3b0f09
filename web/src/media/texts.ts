import english from '#messages/en/media.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('media', english)
