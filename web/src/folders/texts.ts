import english from '#messages/en/folders.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('folders', english)
