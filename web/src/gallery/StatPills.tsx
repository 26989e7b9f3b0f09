import type { ReactNode } from 'react'
import type { FileType } from '#contract/media.ts'
import type { LibraryStats } from '#contract/media-list.ts'
import { formatCount, formatSize } from '../kit/format.ts'
import { texts } from './texts.ts'

interface Props {
  /** Undefined while loading. */
  stats: LibraryStats | undefined
  type: FileType | undefined
  /** Whether a search or a folder restricts the list. */
  narrowed: boolean
  onShowAll: () => void
  onChoose: (type: FileType | undefined) => void
}

/** Four statistics of the library; the first three are filters. They scroll sideways where there is no room for all. */
export function StatPills({ stats, type, narrowed, onShowAll, onChoose }: Props) {
  const { stats: words } = texts
  return (
    <ul aria-label={words.label} className="stat-pills">
      <Filter
        label={words.total}
        value={stats && formatCount(stats.total)}
        active={!narrowed}
        activeLabel={words.showingAll}
        onClick={onShowAll}
      />
      <Filter
        label={words.images}
        value={stats && formatCount(stats.images)}
        active={type === 'image'}
        activeLabel={words.activeFilter}
        onClick={() => onChoose(type === 'image' ? undefined : 'image')}
      />
      <Filter
        label={words.videos}
        value={stats && formatCount(stats.videos)}
        active={type === 'video'}
        activeLabel={words.activeFilter}
        onClick={() => onChoose(type === 'video' ? undefined : 'video')}
      />
      <li className="stat-pill">
        <Stat label={words.storage} value={stats && formatSize(stats.totalSize)} />
      </li>
    </ul>
  )
}

interface FilterProps {
  label: string
  value: string | undefined
  active: boolean
  activeLabel: string
  onClick: () => void
}

function Filter({ label, value, active, activeLabel, onClick }: FilterProps) {
  return (
    <li>
      <button type="button" aria-pressed={active} onClick={onClick} className="stat-pill">
        <Stat label={label} value={value}>
          {active && <span className="stat-active">{activeLabel}</span>}
        </Stat>
      </button>
    </li>
  )
}

/** The active label is below the other two, so that no pill changes its width. */
function Stat({ label, value, children }: { label: string; value: string | undefined; children?: ReactNode }) {
  return (
    <>
      <span className="text-ink-soft">{label}</span> {children}
      {/* A figure space keeps the width while loading. */}
      <span className="font-semibold">{value ?? '\u2007'}</span>
    </>
  )
}
