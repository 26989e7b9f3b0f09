import english from '#messages/en/upload.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('upload', english)
