import english from '#messages/en/warnings.json' with { type: 'json' }
import { translated } from '../../kit/messages.ts'
import { sentenceTranslator } from '../../kit/sentences-of-server.ts'

/** What the installation lacks, in the language of the page. */
export const warningInWords = sentenceTranslator(translated('warnings', english), english)
