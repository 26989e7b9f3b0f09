import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef } from 'react'
import type { Person } from '#contract/people.ts'
import { optionId, Suggestions } from './Suggestions.tsx'
import { texts } from './texts.ts'
import { type Field, useMentionSuggestions } from './use-mention-suggestions.ts'

interface Props {
  ref?: Ref<Field>
  /** The accessible name. */
  label: string
  value: string
  onChange: (value: string) => void
  /** Who can be mentioned. */
  people: readonly Person[]
  placeholder?: string
  maxLength?: number
  readOnly?: boolean
  /** Several lines; grows with its content. */
  multiline?: boolean
  /** The key that submits, while no suggestions are open. With Enter, Shift+Enter inserts a line break. */
  submitOn?: 'Enter' | 'Ctrl+Enter'
  onSubmit?: () => void
  /** Escape, while no suggestions are open. Without it the event bubbles. */
  onCancel?: () => void
}

/** A text field with suggestions of people after an @. */
export function MentionField({ ref, label, people, value, onChange, submitOn = 'Enter', ...props }: Props) {
  const field = useRef<Field>(null)
  useImperativeHandle(ref, () => field.current as Field, [])
  const list = useId()
  const typing = useMentionSuggestions({ field, value, onChange, people })

  function onKeyDown(event: KeyboardEvent) {
    if (typing.onKeyDown(event) || event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && submits(event, submitOn)) {
      event.preventDefault()
      props.onSubmit?.()
    }
    if (event.key === 'Escape' && props.onCancel !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      props.onCancel()
    }
  }

  const shared = {
    value,
    'aria-label': label,
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': typing.open ? list : undefined,
    'aria-activedescendant': typing.open ? optionId(list, typing.current) : undefined,
    placeholder: props.placeholder,
    maxLength: props.maxLength,
    readOnly: props.readOnly,
    autoComplete: 'off',
    dir: 'auto',
    onChange: (event: { target: Field }) => typing.onInput(event.target.value),
    onSelect: typing.onSelect,
    onBlur: typing.onBlur,
    onKeyDown,
    className: fieldClass,
  } as const
  const setField = (element: Field | null) => {
    field.current = element
  }
  return (
    <>
      {props.multiline === true ? (
        // ARIA allows no combobox role on a textarea, so its wrapper has it.
        <div role="combobox" tabIndex={-1} aria-label={label} aria-expanded={typing.open} aria-controls={list}>
          <textarea {...shared} ref={setField} rows={2} />
        </div>
      ) : (
        <input {...shared} ref={setField} role="combobox" aria-expanded={typing.open} />
      )}
      {typing.open && (
        <Suggestions
          id={list}
          field={field}
          suggestions={typing.offered}
          current={typing.current}
          onHighlight={typing.highlight}
          onPick={typing.pick}
        />
      )}
      <span role="status" className="sr-only">
        {typing.open && texts.found({ count: typing.offered.length })}
      </span>
    </>
  )
}

const fieldClass =
  'field-sizing-content block max-h-60 min-h-touch w-full min-w-0 resize-none rounded-control border border-edge bg-raised px-3 py-2 text-ink placeholder:text-ink-soft'

function submits(event: KeyboardEvent, on: 'Enter' | 'Ctrl+Enter'): boolean {
  return on === 'Enter' ? !event.shiftKey : event.ctrlKey || event.metaKey
}
