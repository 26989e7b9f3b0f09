import english from '#messages/en/upload-guests.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const guestTexts = translated('upload-guests', english)
