import english from '#messages/en/notifications.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('notifications', english)
