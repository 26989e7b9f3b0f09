import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Person } from '#contract/people.ts'
import { texts } from './texts.ts'
import type { Field } from './use-mention-suggestions.ts'

interface Props {
  id: string
  field: RefObject<Field | null>
  suggestions: readonly Person[]
  current: number
  onHighlight: (index: number) => void
  onPick: (person: Person) => void
}

/** In the browser's top layer (popover), so that no scroll container clips it. */
export function Suggestions({ id, field, suggestions, current, onHighlight, onPick }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.showPopover()
    const follow = () => moveBeside(list.current, field.current)
    window.addEventListener('scroll', follow, { capture: true, passive: true })
    window.addEventListener('resize', follow)
    return () => {
      window.removeEventListener('scroll', follow, { capture: true })
      window.removeEventListener('resize', follow)
    }
  }, [field])
  // After every render, because the sizes of list and field change while typing.
  useLayoutEffect(() => moveBeside(list.current, field.current))

  return (
    <div
      ref={list}
      id={id}
      popover="manual"
      role="listbox"
      aria-label={texts.suggestions}
      tabIndex={-1}
      className="popup fixed m-0 overflow-y-auto p-1 text-ink"
    >
      {suggestions.map((person, index) => (
        <button
          type="button"
          key={person.id}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === current}
          tabIndex={-1}
          // Keep the focus in the field.
          onPointerDown={event => event.preventDefault()}
          onPointerMove={() => onHighlight(index)}
          onClick={() => onPick(person)}
          className="flex min-h-touch w-full cursor-pointer select-none flex-col justify-center rounded-control px-3 py-1 text-start aria-selected:bg-sunken"
        >
          <bdi className="truncate font-semibold leading-snug">{person.name}</bdi>
          <span className="truncate text-ink-soft text-small leading-snug">
            @{person.username}
            {person.email && ` · ${person.email}`}
          </span>
        </button>
      ))}
    </div>
  )
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`
}

const GAP = 4
const EDGE = 8
const WIDEST = 320

/** Below the field, or above it where there is more room. */
function moveBeside(list: HTMLElement | null, field: HTMLElement | null): void {
  if (list === null || field === null) return
  const around = field.getBoundingClientRect()
  const height = list.scrollHeight
  const [above, below] = [around.top - GAP - EDGE, window.innerHeight - around.bottom - GAP - EDGE]
  const isBelow = below >= height || below >= above
  list.style.width = `${Math.min(WIDEST, around.width)}px`
  list.style.maxHeight = `${isBelow ? below : above}px`
  list.style.left = `${around.left}px`
  list.style.right = 'auto'
  list.style.top = isBelow ? `${around.bottom + GAP}px` : 'auto'
  list.style.bottom = isBelow ? 'auto' : `${window.innerHeight - around.top + GAP}px`
}
