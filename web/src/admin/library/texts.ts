import english from '#messages/en/admin-library.json' with { type: 'json' }
import { translated } from '../../kit/messages.ts'

export const texts = translated('admin-library', english)
