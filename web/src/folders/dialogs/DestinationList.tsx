import { useId } from 'react'
import type { Folder } from '#contract/folders.ts'
import { SearchField } from '../../ui/SearchField.tsx'
import { texts } from '../texts.ts'
import { indentPx } from '../tree.ts'

interface Props {
  /** Null is the root. */
  offered: readonly (Folder | null)[]
  chosen: number | null | undefined
  here: number | null | undefined
  onChoose: (id: number | null) => void
  search: string
  /** Absent where there are few folders. */
  onSearch: ((search: string) => void) | undefined
}

/** Native radio buttons, for keyboards and screen readers. */
export function DestinationList({ offered, chosen, here, onChoose, search, onSearch }: Props) {
  const searching = search.trim() !== ''
  const group = useId()
  const { noneFound, found } = texts.destination
  return (
    <>
      {onSearch !== undefined && (
        <div className="flex">
          <SearchField
            label={texts.destination.search}
            placeholder={texts.destination.search}
            clearLabel={texts.destination.clearSearch}
            value={search}
            onChange={onSearch}
          />
        </div>
      )}
      <p role="status" className={offered.length === 0 ? 'px-3 text-ink-soft' : 'sr-only'}>
        {!searching ? '' : offered.length === 0 ? noneFound : found({ count: offered.length })}
      </p>
      <fieldset className="max-h-[40svh] min-h-0 min-w-0 overflow-y-auto rounded-control border border-line p-1">
        <legend className="sr-only">{texts.destination.label}</legend>
        {offered.map(folder => (
          <Choice
            key={folder?.id ?? 'root'}
            group={group}
            folder={folder}
            asPath={searching}
            chosen={(folder?.id ?? null) === chosen}
            isHere={(folder?.id ?? null) === here}
            onChoose={onChoose}
          />
        ))}
      </fieldset>
    </>
  )
}

interface ChoiceProps {
  group: string
  folder: Folder | null
  /** Search results show the whole path. */
  asPath: boolean
  chosen: boolean
  isHere: boolean
  onChoose: (id: number | null) => void
}

function Choice({ group, folder, asPath, chosen, isHere, onChoose }: ChoiceProps) {
  const name = folder === null ? texts.rootLevel : asPath ? folder.path : folder.name
  const level = folder === null || asPath ? 0 : folder.level
  return (
    <label
      className="destination flex min-h-touch items-center gap-3 rounded-control px-3"
      style={{ marginLeft: indentPx(level) }}
    >
      <input
        type="radio"
        name={group}
        checked={chosen}
        disabled={isHere}
        onChange={() => onChoose(folder?.id ?? null)}
        className="size-4 shrink-0 accent-accent"
      />
      <span dir="auto" title={folder?.path} className={`min-w-0 truncate ${folder === null ? '' : 'flex-1'}`}>
        {name}
      </span>
      {isHere && <span className="shrink-0 text-fine text-ink-soft">{texts.destination.isHere}</span>}
    </label>
  )
}
