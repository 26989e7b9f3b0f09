import type { Waiting } from '../kit/outbox/calls.ts'
import type { ShownCall } from '../kit/outbox/page-outbox.ts'
import { texts } from '../kit/outbox/texts.ts'

export function failureInWords(waiting: Waiting): string {
  const say = texts.failed[waiting.kind]
  return typeof say === 'string' ? say : say({ text: textOf(waiting) })
}

/** For the list of what waits. */
export function nameInWords(waiting: ShownCall): string {
  if (waiting.kind === 'unknown') return texts.names.unknown
  return texts.names[waiting.kind]({ text: textOf(waiting), count: 'files' in waiting ? waiting.files.length : 1 })
}

const SHOWN_LENGTH = 80

function textOf(waiting: Waiting): string {
  switch (waiting.kind) {
    case 'note':
    case 'comment':
      return shortened(waiting.content)
    case 'message':
      return waiting.content === '' ? texts.names.photo : shortened(waiting.content)
    case 'tag':
    case 'untag':
      return waiting.tag
    case 'album':
      return waiting.title
    default:
      return ''
  }
}

function shortened(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}
