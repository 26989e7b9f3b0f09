import english from '#messages/en/device.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('device', english)
