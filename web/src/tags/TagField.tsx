import { Autocomplete } from '@base-ui/react/autocomplete'
import { Plus } from 'lucide-react'
import { type FormEvent, type RefObject, useState } from 'react'
import { lengths } from '#contract/limits.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { fieldClass } from '../ui/TextField.tsx'
import { useAllTagNames } from './queries.ts'
import { suggest } from './suggest.ts'
import { texts } from './texts.ts'

interface Props {
  /** Tags that are already set, and not suggested. */
  taken: readonly string[]
  /** Resolves to whether it worked; the text is kept if not. */
  onAdd: (name: string) => Promise<boolean>
  field?: RefObject<HTMLInputElement | null>
}

/** A text field that suggests existing tags. */
export function TagField({ taken, onAdd, field }: Props) {
  const [name, setName] = useState('')
  const [open, setOpen] = useState(false)
  const suggested = suggest(useAllTagNames(), name, taken)

  async function add(chosen: string) {
    const tag = chosen.trim()
    if (tag === '') return
    setName('')
    // While suggestions are open, the rest of the page, with the Undo of the toast, is hidden from screen readers.
    setOpen(false)
    if (!(await onAdd(tag))) setName(now => (now === '' ? tag : now))
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void add(name)
  }
  return (
    <form className="flex items-center gap-1" onSubmit={onSubmit}>
      <Autocomplete.Root
        items={suggested}
        filter={null}
        // An empty list would still hide the rest of the page from screen readers.
        open={open && suggested.length > 0}
        onOpenChange={setOpen}
        value={name}
        onValueChange={(value, { reason }) => (reason === 'item-press' ? void add(value) : setName(value))}
      >
        <Autocomplete.Input
          ref={field}
          aria-label={texts.field}
          placeholder={texts.placeholder}
          maxLength={lengths.tag}
          dir="auto"
          className={fieldClass}
        />
        <Autocomplete.Portal>
          <Autocomplete.Positioner sideOffset={4} collisionPadding={8} className="z-50">
            <Autocomplete.Popup className="popup max-h-(--available-height) w-(--anchor-width) overflow-y-auto p-1 data-empty:hidden">
              <Autocomplete.List aria-label={texts.suggestions}>
                {(tag: string) => (
                  <Autocomplete.Item
                    key={tag}
                    value={tag}
                    className="flex min-h-touch cursor-pointer select-none items-center rounded-control px-3 py-1 data-highlighted:bg-sunken"
                  >
                    <bdi className="truncate">{tag}</bdi>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      <IconButton type="submit" label={texts.add.label}>
        <Plus aria-hidden="true" className="size-5" />
      </IconButton>
    </form>
  )
}
