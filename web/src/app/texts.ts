import english from '#messages/en/app.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('app', english)
