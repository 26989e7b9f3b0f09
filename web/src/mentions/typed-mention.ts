import type { Person } from '#contract/people.ts'

/** A mention that is being typed: the @ and what stands between it and the caret. */
export interface TypedMention {
  /** Where the @ stands. */
  start: number
  text: string
}

/** An @ inside a word is part of an e-mail address, not the beginning of a mention. */
const beingTyped = /(?<![\p{L}\p{N}._])@([^\s@]*)$/u

/** Undefined where the caret stands behind no @, or where a space or a new line came after it. */
export function mentionBeforeCaret(text: string, caret: number): TypedMention | undefined {
  const match = beingTyped.exec(text.slice(0, caret))
  return match === null ? undefined : { start: match.index, text: match[1] ?? '' }
}

/** The people whose username or name contains what was typed; those where it stands at the beginning come first. */
export function suggestPeople(people: readonly Person[], typed: string, most: number): Person[] {
  const wanted = typed.toLowerCase()
  const names = ({ username, name }: Person) => [username.toLowerCase(), name.toLowerCase()]
  const matching = people.filter(person => names(person).some(name => name.includes(wanted)))
  const [first, rest] = [
    matching.filter(person => names(person).some(name => name.startsWith(wanted))),
    matching.filter(person => !names(person).some(name => name.startsWith(wanted))),
  ]
  return [...first, ...rest].slice(0, most)
}

/** The text with the mention completed, and where the caret stands then. */
export function completeMention(text: string, typed: TypedMention, person: Person): { text: string; caret: number } {
  const before = `${text.slice(0, typed.start)}@${person.username}`
  const after = text.slice(typed.start + 1 + typed.text.length)
  // What follows begins a new word; a space that is there already is used.
  const space = /^\s/.test(after) ? '' : ' '
  return { text: before + space + after, caret: before.length + 1 }
}
