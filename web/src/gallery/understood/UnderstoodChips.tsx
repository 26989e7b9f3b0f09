import { ChevronDown, X } from 'lucide-react'
import { replacePart, type SearchPart } from '#contract/read-search.ts'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import type { ChangeAddress, GalleryAddress } from '../gallery-address.ts'
import { texts } from '../texts.ts'
import { alternativesOf, iconOfPart, labelOfPart } from './part-words.ts'
import { useUnderstoodSearch } from './understood-search.ts'

interface Props {
  address: GalleryAddress
  change: ChangeAddress
}

/** What the words of the search were understood as. Each can be removed, or mean something else: the words themselves, for one. */
export function UnderstoodChips({ address, change }: Props) {
  const { parts } = useUnderstoodSearch(address)
  const { search = '' } = address.filter
  return parts.map(part => (
    <li key={`${part.from}:${part.words}`} className="min-w-0 max-w-full sm:max-w-72">
      <PartChip part={part} onReplace={words => change({ filter: { search: replacePart(search, part, words) } })} />
    </li>
  ))
}

function PartChip({ part, onReplace }: { part: SearchPart; onReplace: (words: string) => void }) {
  const [Icon, label, alternatives] = [iconOfPart(part), labelOfPart(part), alternativesOf(part)]
  const content = (
    <>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <bdi className="truncate">{label}</bdi>
    </>
  )
  return (
    <span className="understood-chip">
      {alternatives.length === 0 ? (
        <span className="chip chip-chosen chip-meaning">{content}</span>
      ) : (
        <Menu
          trigger={
            <button
              type="button"
              className="chip chip-chosen chip-meaning"
              aria-label={texts.understood.meaning({ words: part.words, label })}
            >
              {content}
              <ChevronDown aria-hidden="true" className="size-3.5 shrink-0" />
            </button>
          }
        >
          {alternatives.map(({ label: other, words }) => (
            <MenuItem key={words} onClick={() => onReplace(words)}>
              <bdi>{other}</bdi>
            </MenuItem>
          ))}
        </Menu>
      )}
      <button
        type="button"
        className="chip chip-chosen chip-forget"
        aria-label={texts.understood.remove({ label })}
        title={texts.understood.remove({ label })}
        onClick={() => onReplace('')}
      >
        <X aria-hidden="true" className="size-4 shrink-0" />
      </button>
    </span>
  )
}
