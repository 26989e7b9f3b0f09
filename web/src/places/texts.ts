import english from '#messages/en/places.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('places', english)
