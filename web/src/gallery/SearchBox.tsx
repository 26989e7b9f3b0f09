import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { formatCount } from '../kit/format.ts'
import { SearchField } from '../ui/SearchField.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { chipNames, iconOf } from './filter-labels.ts'
import type { ChangeAddress, GalleryAddress } from './gallery-address.ts'
import { type SuggestedFilter, suggestedFilters, suggestionsQuery } from './suggestions.ts'
import { texts } from './texts.ts'
import { type FilterChoice, readTypedDate } from './typed-date.ts'
import { peopleBeginningWith, withoutLastName } from './understood/people-named.ts'
import { understand } from './understood/understood-search.ts'
import { useSearchVocabulary } from './understood/vocabulary.ts'

/** What suggestions choose. */
type SuggestionGroup = SuggestedFilter | 'date'

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  draft: string
  onDraft: (draft: string) => void
  busy: boolean
}

/** As many of a kind as fit on a few lines. A button shows the others. */
const SHOWN = 10

/**
 * The search field. Before anything is typed it suggests what there is to filter by, for a typed date that date, and for the
 * beginning of a name that person.
 */
export function SearchBox({ address, change, draft, onDraft, busy }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [unfolded, setUnfolded] = useState<ReadonlySet<SuggestionGroup>>(new Set())
  const typedDate = readTypedDate(draft)
  const { vocabulary } = useSearchVocabulary(open)
  // Whom the text names already is no suggestion.
  const typed = understand({ ...address, filter: { ...address.filter, search: draft } }, vocabulary).shown.filter
  const beginning = typedDate === null ? peopleBeginningWith(draft, vocabulary) : []
  const named = beginning.filter(({ value }) => value !== typed.uploader && value !== typed.hearted_by)
  const shown = open && (draft === '' || typedDate !== null || named.length > 0)
  const { data } = useQuery({ ...suggestionsQuery, enabled: shown && draft === '' })
  const offered: { field: SuggestionGroup; choices: readonly FilterChoice[] }[] =
    typedDate !== null
      ? [{ field: typedDate.field, choices: [typedDate] }]
      : draft === ''
        ? suggestedFilters.map(field => ({ field, choices: data?.[field] ?? [] }))
        : [{ field: 'uploader', choices: named }]
  const groups = offered
    .map(({ field, choices }) => ({ field, choices: choices.filter(({ value }) => value !== address.filter[field]) }))
    .filter(({ choices }) => choices.length > 0)

  function field(): HTMLInputElement | null {
    return box.current?.querySelector('input') ?? null
  }

  function choose(chosen: SuggestionGroup, { value }: FilterChoice) {
    // The chip replaces what was typed of it.
    const left = typedDate === null ? withoutLastName(draft) : ''
    change({ filter: { [chosen]: value, search: left === '' ? undefined : left } })
    onDraft(left)
    // Focusing the field opens the suggestions, so close them afterwards.
    field()?.focus()
    setOpen(false)
  }

  function unfold(group: SuggestionGroup, button: HTMLElement) {
    // The button is removed, and losing the focus would close the suggestions.
    const before = button.previousElementSibling
    if (before instanceof HTMLElement) before.focus()
    setUnfolded(now => new Set([...now, group]))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && shown) {
      event.preventDefault()
      event.stopPropagation()
      field()?.focus()
      setOpen(false)
      return
    }
    if (event.key === 'Enter' && event.target === field() && shown && typedDate !== null) {
      event.preventDefault()
      choose(typedDate.field, typedDate)
      return
    }
    if (event.key === 'Enter' && event.target === field()) setOpen(false)
    // Holding the key down deletes the text only.
    if (event.key === 'Backspace' && !event.repeat && event.target === field() && draft === '') {
      const last = chipNames(address).at(-1)
      if (last !== undefined) change({ filter: { [last]: undefined } })
      return
    }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    const fromField = event.target === field()
    if (step === undefined || (fromField && event.key !== 'ArrowDown')) return
    if (fromField && draft !== '' && groups.length === 0) return
    event.preventDefault()
    setOpen(true)
    const chips = [...(box.current?.querySelectorAll<HTMLElement>('[data-suggestion]') ?? [])]
    const next = chips.indexOf(event.target as HTMLElement) + step
    if (next < 0) field()?.focus()
    else chips[Math.min(next, chips.length - 1)]?.focus()
  }

  function onBlur(event: FocusEvent) {
    if (!box.current?.contains(event.relatedTarget)) setOpen(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field and the suggestions inside
    <div ref={box} className="search-box relative min-w-0" onBlur={onBlur} onKeyDown={onKeyDown}>
      <SearchField
        label={texts.search.label}
        placeholder={texts.search.placeholder}
        clearLabel={texts.search.clear}
        value={draft}
        onChange={text => {
          onDraft(text)
          setOpen(true)
        }}
        onOpen={() => setOpen(true)}
        busy={busy && draft !== '' ? <Spinner size="small" /> : undefined}
      />
      {shown && groups.length > 0 && (
        <section aria-label={texts.suggestions.label} className="suggestions popup">
          {groups.map(({ field: name, choices }) => (
            <Group key={name} field={name}>
              {choices.slice(0, unfolded.has(name) ? undefined : SHOWN).map(choice => (
                <button
                  key={choice.value}
                  type="button"
                  data-suggestion=""
                  onClick={() => choose(name, choice)}
                  className="chip"
                >
                  <bdi className="truncate">{choice.label}</bdi>
                  {choice.count !== undefined && (
                    <>
                      {' '}
                      <span className="font-normal text-ink-soft">{formatCount(choice.count)}</span>
                    </>
                  )}
                </button>
              ))}
              {choices.length > SHOWN && !unfolded.has(name) && (
                <button
                  type="button"
                  data-suggestion=""
                  onClick={event => unfold(name, event.currentTarget)}
                  className="chip"
                >
                  {texts.suggestions.showAll({ count: choices.length })}
                </button>
              )}
            </Group>
          ))}
        </section>
      )}
    </div>
  )
}

function Group({ field, children }: { field: SuggestionGroup; children: ReactNode }) {
  const Icon = iconOf(field)
  const name = texts.suggestions.groups[field]
  return (
    <fieldset aria-label={name}>
      <h3 className="mb-1.5 flex items-center gap-1.5 font-sans font-semibold text-fine text-ink-soft">
        {Icon && <Icon aria-hidden="true" className="size-4" />}
        {name}
      </h3>
      <div className="flex flex-wrap gap-1.5">{children}</div>
    </fieldset>
  )
}
