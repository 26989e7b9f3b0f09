import english from '#messages/en/upload-prepare.json' with { type: 'json' }
import { translated } from '../../kit/messages.ts'

/** Not for workers, which would load all messages: they answer with a `NotPrepared`. */
export const texts = translated('upload-prepare', english)
