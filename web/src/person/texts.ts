import english from '#messages/en/person.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('person', english)
