import english from '#messages/en/settings.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('settings', english)
