import './memories.css'
import { useQuery } from '@tanstack/react-query'
import { EllipsisVertical, EyeOff, Sparkles, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { visits } from '#contract/limits.ts'
import type { GalleryTop as Top } from '#contract/memories.ts'
import { formatPhotos } from '../kit/format.ts'
import { backgroundColour } from '../media/thumbhash.ts'
import { useKeepFocus } from '../ui/hooks.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { formatFullDay, sinceWhen, useToday } from './dates.ts'
import { groupName } from './group-name.ts'
import { topQuery, useCloseMemories, useCloseNew, useHideDay } from './queries.ts'
import { texts } from './texts.ts'

/** One row above the photos: what is new since the last visit, and this day in other years. */
export function GalleryTop() {
  const today = useToday()
  return <Row key={today} today={today} />
}

function Row({ today }: { today: string }) {
  const { data } = useQuery(topQuery(today))
  // What was not there at first does not push the photos down later.
  const [first, setFirst] = useState(data)
  if (first === undefined && data !== undefined) setFirst(data)
  const added = first?.new_files == null ? null : (data?.new_files ?? null)
  const groups = (first?.memories.length ?? 0) === 0 ? [] : (data?.memories ?? [])
  const isShown = added !== null || groups.length > 0
  useRememberForSkeleton(data === undefined ? undefined : isShown)
  // The button that closes the row disappears with it.
  const keepFocus = useKeepFocus<HTMLDivElement>()
  return (
    <div {...keepFocus} className="focus-visible:outline-none">
      {isShown && (
        <section aria-label={texts.top.label} className="gallery-top">
          <div className="gallery-top-scroll">
            {added !== null && <Added {...added} isAlone={groups.length === 0} />}
            {groups.length > 0 && <Memories groups={groups} />}
          </div>
          {groups.length > 0 && <MemoryButtons groups={groups} today={today} />}
        </section>
      )}
    </div>
  )
}

function Added({ count, since, isAlone }: NonNullable<Top['new_files']> & { isAlone: boolean }) {
  const roomy = useScreen('sm')
  const close = useCloseNew()
  const message = count >= visits.countedFiles ? texts.top.addedMore : texts.top.added
  const text = message({ count, ...sinceWhen(since) })
  return (
    <div className="gallery-top-new">
      <Link
        to={`/?${new URLSearchParams({ new_since: since })}`}
        aria-label={text}
        title={text}
        className="gallery-top-link"
      >
        <Sparkles aria-hidden="true" className="size-4 shrink-0 text-accent" />
        {/* Beside memories, a phone has no room for the whole sentence: a part of it, so that both are the same name. */}
        {isAlone || roomy ? text : texts.top.addedShort({ count })}
      </Link>
      <CloseButton label={texts.top.seen} onClick={() => close(since)} />
    </div>
  )
}

function Memories({ groups }: { groups: Top['memories'] }) {
  return (
    <div className="gallery-top-memories">
      <h2 className="gallery-top-heading">{texts.top.heading}</h2>
      <ul className="gallery-top-groups">
        {groups.map(group => (
          <li key={group.date}>
            <Group {...group} />
          </li>
        ))}
        <li>
          <Link to="/memories" className="gallery-top-link">
            {texts.top.otherDays}
          </Link>
        </li>
      </ul>
    </div>
  )
}

/** Beside what is scrolled, which would cut off the menu. */
function MemoryButtons({ groups, today }: { groups: Top['memories']; today: string }) {
  const close = useCloseMemories()
  const hide = useHideDay()
  return (
    <div className="gallery-top-buttons">
      <Menu
        trigger={
          <button type="button" aria-label={texts.top.more} title={texts.top.more} className="gallery-top-close">
            <EllipsisVertical aria-hidden="true" className="size-4" />
          </button>
        }
      >
        {groups.map(({ date }) => (
          <MenuItem
            key={date}
            icon={<EyeOff aria-hidden="true" className="size-5" />}
            onClick={() => void hide.run({ params: { date } })}
          >
            {texts.hideDay.inMenu({ date: formatFullDay(date) })}
          </MenuItem>
        ))}
      </Menu>
      <CloseButton label={texts.top.close} onClick={() => close(today)} />
    </div>
  )
}

function Group({ date, years, place, count, cover }: Top['memories'][number]) {
  return (
    <Link to={`/?${new URLSearchParams({ memory: date, file: String(cover.id) })}`} className="gallery-top-group">
      <span
        className="gallery-top-cover"
        style={{ backgroundColor: cover.thumbhash === null ? undefined : backgroundColour(cover.thumbhash) }}
      >
        {cover.thumbnail_url !== null && <img src={cover.thumbnail_url} alt="" draggable={false} />}
      </span>
      <span className="gallery-top-name min-w-0">
        <bdi className="block truncate font-semibold">{groupName({ years, place })}</bdi>{' '}
        <span className="block text-fine text-ink-soft">{formatPhotos(count)}</span>
      </span>
    </Link>
  )
}

function CloseButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick} className="gallery-top-close">
      <X aria-hidden="true" className="size-4" />
    </button>
  )
}

/** The script in index.html leaves room for the row if the last page had one. */
function useRememberForSkeleton(isShown: boolean | undefined): void {
  useEffect(() => {
    if (isShown === true) localStorage.setItem('gallery-top', 'shown')
    if (isShown === false) localStorage.removeItem('gallery-top')
  }, [isShown])
}
