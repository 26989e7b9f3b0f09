import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { mentions } from '#contract/limits.ts'
import type { Person } from '#contract/people.ts'
import { completeMention, mentionBeforeCaret, suggestPeople } from './typed-mention.ts'

export type Field = HTMLTextAreaElement | HTMLInputElement

interface MentionInput {
  field: RefObject<Field | null>
  value: string
  onChange: (value: string) => void
  people: readonly Person[]
}

/** The suggestions for the mention before the caret, with keyboard control. */
export function useMentionSuggestions({ field, value, onChange, people }: MentionInput) {
  const [caret, setCaret] = useState<number | null>(null)
  // The @ whose suggestions were closed by Escape.
  const [dismissed, setDismissed] = useState<number | null>(null)
  const [highlighted, setHighlighted] = useState(0)
  const caretToSet = useRef<number | null>(null)

  const typed = caret === null ? undefined : mentionBeforeCaret(value, Math.min(caret, value.length))
  const typedText = typed?.text
  const offered = useMemo(
    () => (typedText === undefined ? [] : suggestPeople(people, typedText, mentions.suggestions)),
    [people, typedText],
  )
  const open = typed !== undefined && typed.start !== dismissed && offered.length > 0
  const current = Math.min(highlighted, offered.length - 1)

  // The caret can only be set once the field has the completed text.
  useLayoutEffect(() => {
    if (caretToSet.current === null || field.current === null) return
    field.current.focus()
    field.current.setSelectionRange(caretToSet.current, caretToSet.current)
    caretToSet.current = null
  })

  function follow() {
    const at = field.current?.selectionStart ?? null
    setCaret(at)
    if (at === null || mentionBeforeCaret(field.current?.value ?? '', at) === undefined) setDismissed(null)
  }

  function pick(person: Person) {
    if (typed === undefined) return
    const done = completeMention(value, typed, person)
    caretToSet.current = done.caret
    setCaret(done.caret)
    setHighlighted(0)
    onChange(done.text)
  }

  /** Returns whether the key was handled. */
  function onKeyDown(event: KeyboardEvent): boolean {
    // During composition, keys belong to the input method (IME).
    if (!open || event.nativeEvent.isComposing) return false
    const person = offered[current]
    if (event.key === 'ArrowDown') setHighlighted((current + 1) % offered.length)
    else if (event.key === 'ArrowUp') setHighlighted((current + offered.length - 1) % offered.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && person !== undefined) pick(person)
    else if (event.key === 'Escape') setDismissed(typed.start)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return {
    open,
    offered,
    current,
    highlight: setHighlighted,
    pick,
    onKeyDown,
    onInput: (text: string) => {
      setHighlighted(0)
      follow()
      onChange(text)
    },
    onSelect: follow,
    onBlur: () => setCaret(null),
  }
}
