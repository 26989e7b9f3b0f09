import { Search, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'

interface Props {
  label: string
  placeholder: string
  clearLabel: string
  value: string
  onChange: (value: string) => void
  /** The field was focused or clicked. */
  onOpen?: () => void
  /** Replaces the magnifying glass while a search is running. */
  busy?: ReactNode
}

export function SearchField({ label, placeholder, clearLabel, value, onChange, onOpen, busy }: Props) {
  const field = useRef<HTMLInputElement>(null)

  function clear() {
    onChange('')
    field.current?.focus()
  }
  return (
    <div className="relative flex-1">
      <span className="pointer-events-none absolute inset-y-0 left-0 grid w-11 place-items-center text-ink-soft">
        {busy ?? <Search aria-hidden="true" className="size-5" />}
      </span>
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        maxLength={200}
        dir="auto"
        autoComplete="off"
        enterKeyHint="search"
        onFocus={onOpen}
        onClick={onOpen}
        onChange={event => onChange(event.target.value)}
        className="min-h-touch w-full appearance-none rounded-control border border-edge bg-raised py-1 pr-11 pl-11 text-ink placeholder:text-ink-soft [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <button
          type="button"
          aria-label={clearLabel}
          title={clearLabel}
          onClick={clear}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-ink-soft hover:text-ink"
        >
          <X aria-hidden="true" className="size-5" />
        </button>
      )}
    </div>
  )
}
