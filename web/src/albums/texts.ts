import english from '#messages/en/albums.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('albums', english)
