import english from '#messages/en/admin-invitations.json' with { type: 'json' }
import { translated } from '../../kit/messages.ts'

export const texts = translated('admin-invitations', english)
