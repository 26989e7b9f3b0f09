import english from '#messages/en/viewer.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('viewer', english)
