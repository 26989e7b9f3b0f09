import english from '#messages/en/reasons.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'
import { sentenceTranslator } from '../kit/sentences-of-server.ts'

/** Why a file could not be prepared, in the language of the page. */
export const reasonInWords = sentenceTranslator(translated('reasons', english), english)
