import english from '#messages/en/about.json' with { type: 'json' }
import englishOfIphones from '#messages/en/iphone.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('about', english)
export const iphoneTexts = translated('iphone', englishOfIphones)
