import english from '#messages/en/guest-uploads.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('guest-uploads', english)
