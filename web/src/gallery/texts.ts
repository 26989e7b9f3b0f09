import english from '#messages/en/gallery.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('gallery', english)
