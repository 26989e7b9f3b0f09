import english from '#messages/en/admin-activity.json' with { type: 'json' }
import { translated } from '../../kit/messages.ts'

export const texts = translated('admin-activity', english)
