import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { fieldClass } from './TextField.tsx'

interface Props {
  label: string
  value: string
  choices: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

/** A native select with a label, for possibly very many options. */
export function SelectField({ label, value, choices, onChange }: Props) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold text-small">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={event => onChange(event.target.value)}
          className={`appearance-none truncate pr-10 ${fieldClass}`}
        >
          {choices.map(choice => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-3 size-4 text-ink-soft"
        />
      </div>
    </div>
  )
}
