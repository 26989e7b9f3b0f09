import type { Person } from '#contract/people.ts'

/** A mention that is being typed: the text between the @ and the caret. */
export interface TypedMention {
  /** The index of the @. */
  start: number
  text: string
}

/** An @ inside a word belongs to an email address. */
const beingTyped = /(?<![\p{L}\p{N}._])@([^\s@]*)$/u

/** Undefined without an @ before the caret, or with whitespace between them. */
export function mentionBeforeCaret(text: string, caret: number): TypedMention | undefined {
  const match = beingTyped.exec(text.slice(0, caret))
  return match === null ? undefined : { start: match.index, text: match[1] ?? '' }
}

/** People whose username or name contains the typed text; those that start with it come first. */
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

/** The text with the mention completed, and the new position of the caret. */
export function completeMention(text: string, typed: TypedMention, person: Person): { text: string; caret: number } {
  const before = `${text.slice(0, typed.start)}@${person.username}`
  const after = text.slice(typed.start + 1 + typed.text.length)
  // Adds a space unless there is one.
  const space = /^\s/.test(after) ? '' : ' '
  return { text: before + space + after, caret: before.length + 1 }
}
