import english from '#messages/en/notes.json' with { type: 'json' }
import { translated } from '../kit/messages.ts'

export const texts = translated('notes', english)

/** The words for notes on files, or for comments on albums. */
export type KindTexts = typeof texts.notes | typeof texts.comments
