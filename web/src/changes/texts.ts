import english from '#messages/en/changes.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('changes', english)
