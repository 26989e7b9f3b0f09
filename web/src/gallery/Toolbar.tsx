import './toolbar.css'
import {
  ArrowDownNarrowWide,
  ArrowUpNarrowWide,
  CaseSensitive,
  Heart,
  LayoutDashboard,
  LayoutGrid,
  List,
  ListFilter,
  Minus,
  Plus,
  SlidersHorizontal,
} from 'lucide-react'
import { memo, type ReactNode, useCallback, useEffect, useState } from 'react'
import type { FileType } from '#contract/media.ts'
import { SortField } from '#contract/media-list.ts'
import { can } from '#contract/rights.ts'
import { useMe } from '../kit/me.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { Select } from '../ui/Select.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { type ChangeAddress, type GalleryAddress, sortedBy } from './gallery-address.ts'
import type { DensitySteps } from './layout/list-layout.ts'
import { SearchBox } from './SearchBox.tsx'
import { texts } from './texts.ts'
import { useViewPreference } from './view-preference.ts'

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  /** Another list is loading. */
  busy: boolean
  /** Which densities are possible from here. */
  densitySteps: DensitySteps
  /** Shows smaller photos, or with -1 larger ones. */
  onDensity: (steps: 1 | -1) => void
  /** Beside something else: the same as on a narrow screen. */
  narrow: boolean
  head: GalleryHead | undefined
  /** What the list shows, and its filters. */
  heading: ReactNode
  banner: ReactNode
}

/** What the page of the gallery has beside the search. */
export interface GalleryHead {
  title: ReactNode
  figures: ReactNode
  /** Absent on phones, where it is in the top bar. */
  button: ReactNode
}

/**
 * Search, type, order and view, with the head of the page: two lines, of which the second one stays on small screens. A
 * turned phone has one line for all of it. All but the search and the head may be behind one button.
 */
export function Toolbar(props: Props) {
  const { address, change, busy, densitySteps, onDensity, narrow, head, heading, banner } = props
  const onSearch = useCallback((search: string) => change({ filter: { search } }, { replace: true }), [change])
  const [draft, setDraft] = useSearchDraft(address.filter.search ?? '', onSearch)
  const [wide, xl] = [useScreen('lg') && !narrow, useScreen('xl') && !narrow]
  const [roomy, tabs, turned] = [useScreen('sm') && !narrow, useScreen('tabs'), useScreen('turned')]
  const choices = <Choices address={address} change={change} densitySteps={densitySteps} onDensity={onDensity} />
  const search = <SearchBox address={address} change={change} draft={draft} onDraft={setDraft} busy={busy} />
  const line = (
    <div className="list-line">
      {heading}
      {banner}
    </div>
  )
  const controls = xl ? (
    <div className="toolbar-choices">{choices}</div>
  ) : (
    <Panel
      title={texts.filters.open}
      closeLabel={texts.filters.close}
      trigger={
        <Button icon={<SlidersHorizontal aria-hidden="true" className="size-5" />}>
          {/* With large text the room is for the search. */}
          <span className="@max-[15rem]:sr-only">{texts.filters.open}</span>
        </Button>
      }
    >
      <div className="flex flex-wrap gap-2">{choices}</div>
    </Panel>
  )
  if (head === undefined) {
    return (
      <search className="@container">
        <div className="toolbar" data-narrow={narrow ? '' : undefined}>
          {search}
          {roomy && !wide && line}
          {controls}
        </div>
        {wide && line}
        {!roomy && banner}
      </search>
    )
  }
  if (tabs) {
    const strip = (
      <div className="toolbar-strip">
        {banner}
        <div className="toolbar-title">
          {head.title}
          {heading}
        </div>
        {head.figures}
      </div>
    )
    return (
      <search className="toolbar-lines @container">
        {!turned && strip}
        <div className="toolbar-line">
          {turned && strip}
          {search}
          {controls}
        </div>
      </search>
    )
  }
  return (
    <search className="toolbar-lines @container">
      <div className="toolbar-line">
        <div className="toolbar-title">{head.title}</div>
        {wide && search}
        {head.figures}
        {head.button}
      </div>
      <div className="toolbar-line">
        {!wide && search}
        {line}
        {controls}
      </div>
    </search>
  )
}

/** Memoised, because the files change far more often than these options. */
const Choices = memo(function Choices(props: Pick<Props, 'address' | 'change' | 'densitySteps' | 'onDensity'>) {
  const { address, change, densitySteps, onDensity } = props
  const { hearted_by, memory } = address.filter
  const { view, chooseView } = useViewPreference({ inAlbum: address.album !== null })
  return (
    <>
      <TypeChoice type={address.filter.type} onChoose={type => change({ filter: { type } })} />
      <FavouritesChoice heartedBy={hearted_by} onChoose={hearted_by => change({ filter: { hearted_by } })} />
      {address.album === null && memory === undefined && <SortChoice address={address} change={change} />}
      <SegmentedControl
        label={texts.view.label}
        value={view}
        segments={[
          { value: 'squares', label: texts.view.grid, icon: <LayoutGrid aria-hidden="true" className="size-5" /> },
          {
            value: 'proportions',
            label: texts.view.proportions,
            icon: <LayoutDashboard aria-hidden="true" className="size-5" />,
          },
          { value: 'list', label: texts.view.list, icon: <List aria-hidden="true" className="size-5" /> },
        ]}
        onChoose={chooseView}
      />
      {/* Disabled rather than removed in the list, so that no control moves. */}
      <div className="flex">
        <IconButton
          label={texts.view.smaller}
          focusableWhenDisabled
          disabled={!densitySteps.smaller}
          onClick={() => onDensity(1)}
        >
          <Minus aria-hidden="true" className="size-5" />
        </IconButton>
        <IconButton
          label={texts.view.larger}
          focusableWhenDisabled
          disabled={!densitySteps.larger}
          onClick={() => onDensity(-1)}
        >
          <Plus aria-hidden="true" className="size-5" />
        </IconButton>
      </div>
      <IconButton
        label={texts.view.names}
        aria-pressed={address.names}
        disabled={view === 'list'}
        onClick={() => change({ names: !address.names })}
      >
        <CaseSensitive aria-hidden="true" className={`size-6 ${address.names ? 'text-accent' : ''}`} />
      </IconButton>
    </>
  )
})

interface TypeChoiceProps {
  type: FileType | undefined
  onChoose: (type: FileType | undefined) => void
}

function TypeChoice({ type, onChoose }: TypeChoiceProps) {
  return (
    <div className="flex items-center gap-1 xl:flex-row-reverse">
      <Select
        label={texts.type.label}
        // The heading says 'All Files' already.
        icon={type === undefined ? <ListFilter aria-hidden="true" className="size-5" /> : undefined}
        value={type ?? 'all'}
        choices={[
          { value: 'all', label: texts.type.all },
          { value: 'image', label: texts.type.image },
          { value: 'video', label: texts.type.video },
        ]}
        onChoose={value => onChoose(value === 'all' ? undefined : value)}
      />
      {type !== undefined && (
        <Button variant="bare" onClick={() => onChoose(undefined)}>
          {texts.type.showAll}
        </Button>
      )}
    </div>
  )
}

function FavouritesChoice({
  heartedBy,
  onChoose,
}: {
  heartedBy: number | undefined
  onChoose: (heartedBy: number | undefined) => void
}) {
  const me = useMe()
  if (me === null || !can(me.role, 'media.heart')) return null
  const chosen = heartedBy === me.id
  return (
    <IconButton
      label={texts.favourites.only}
      aria-pressed={chosen}
      onClick={() => onChoose(chosen ? undefined : me.id)}
    >
      <Heart aria-hidden="true" className={`size-5 ${chosen ? 'fill-current text-accent' : ''}`} />
    </IconButton>
  )
}

function SortChoice({ address, change }: Pick<Props, 'address' | 'change'>) {
  const { sort, order } = address
  const Arrow = order === 'asc' ? ArrowUpNarrowWide : ArrowDownNarrowWide
  const { reverse, fields } = texts.sort
  return (
    <div className="flex items-center">
      <Select
        label={texts.sort.label}
        value={sort}
        choices={SortField.options.map(value => ({ value, label: fields[value] }))}
        onChoose={value => change(sortedBy(address, value))}
      />
      <IconButton label={reverse[sort][order]} onClick={() => change({ order: order === 'asc' ? 'desc' : 'asc' })}>
        <Arrow aria-hidden="true" className="size-5" />
      </IconButton>
    </div>
  )
}

/** Debounce of the search, in milliseconds. */
const DEBOUNCE = 250

/** The text being typed, debounced into the search. It also follows changes of the search made elsewhere. */
function useSearchDraft(search: string, onSearch: (search: string) => void): [string, (draft: string) => void] {
  const [draft, setDraft] = useState(search)
  const [lastSearch, setLastSearch] = useState(search)
  // Searches sent from here whose URL update is pending. They must not overwrite what the person types in the meantime.
  const [sentSearches, setSentSearches] = useState<readonly string[]>([])
  if (lastSearch !== search) {
    setLastSearch(search)
    const own = sentSearches.lastIndexOf(search)
    setSentSearches(own === -1 ? [] : sentSearches.slice(own + 1))
    if (own === -1) setDraft(search)
  }

  useEffect(() => {
    const next = draft.trim()
    if (next === search) return
    const ask = () => {
      setSentSearches(before => [...before, next])
      onSearch(next)
    }
    const pause = setTimeout(ask, next === '' ? 0 : DEBOUNCE)
    return () => clearTimeout(pause)
  }, [draft, search, onSearch])

  return [draft, setDraft]
}
