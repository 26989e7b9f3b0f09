import english from '#messages/en/map.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('map', english)
