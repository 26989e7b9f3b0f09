import english from '#messages/en/admin.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('admin', english)
