import type { ReactNode } from 'react'
import type { FileType, LibraryStats } from '#contract/media.ts'
import { formatCount, formatSize } from '../kit/format.ts'
import { texts } from './texts.ts'

interface Props {
  /** Undefined while loading. */
  stats: LibraryStats | undefined
  type: FileType | null
  /** Whether a search or a folder restricts the list. */
  narrowed: boolean
  onShowAll: () => void
  onChoose: (type: FileType | null) => void
}

/** Four figures of the library; the first three are filters. They scroll sideways on a phone. */
export function StatCards({ stats, type, narrowed, onShowAll, onChoose }: Props) {
  const { stats: words } = texts
  return (
    <ul
      aria-label={words.label}
      className="-mx-[16px] mb-4 flex snap-x scroll-px-[16px] gap-3 overflow-x-auto px-[16px] py-1 [scrollbar-width:none] sm:mx-0 sm:grid sm:grid-cols-4 sm:px-0"
    >
      <Filter
        label={words.total}
        value={stats && formatCount(stats.total)}
        active={type === null && !narrowed}
        activeLabel={words.showingAll}
        onClick={onShowAll}
      />
      <Filter
        label={words.images}
        value={stats && formatCount(stats.images)}
        active={type === 'image'}
        activeLabel={words.activeFilter}
        onClick={() => onChoose(type === 'image' ? null : 'image')}
      />
      <Filter
        label={words.videos}
        value={stats && formatCount(stats.videos)}
        active={type === 'video'}
        activeLabel={words.activeFilter}
        onClick={() => onChoose(type === 'video' ? null : 'video')}
      />
      <li className={place}>
        <div className={`${card} border-line bg-raised`}>
          <Figure label={words.storage} value={stats && formatSize(stats.totalSize)} />
        </div>
      </li>
    </ul>
  )
}

const place = 'min-w-36 shrink-0 snap-start sm:min-w-0'
const card = 'relative flex h-full w-full flex-col rounded-card border px-4 py-3 text-left'

interface FilterProps {
  label: string
  value: string | undefined
  active: boolean
  activeLabel: string
  onClick: () => void
}

function Filter({ label, value, active, activeLabel, onClick }: FilterProps) {
  return (
    <li className={place}>
      <button
        type="button"
        aria-pressed={active}
        onClick={onClick}
        className={`${card} motion-quick transition-colors ${active ? 'border-accent bg-accent-wash' : 'border-line bg-raised hover:border-edge'}`}
      >
        <Figure label={label} value={value}>
          {active && <span className="font-semibold text-accent-strong text-fine">{activeLabel}</span>}
        </Figure>
      </button>
    </li>
  )
}

function Figure({ label, value, children }: { label: string; value: string | undefined; children?: ReactNode }) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-2 whitespace-nowrap text-ink-soft text-small">
        {label} {children}
      </span>
      {/* A figure space keeps the line height while loading. */}
      <span className="font-semibold font-serif text-heading leading-tight">{value ?? '\u2007'}</span>
    </>
  )
}
