import './memories.css'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Clock, X } from 'lucide-react'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Card } from '#contract/memories.ts'
import { RECENT_PATH } from '../kit/filter-path.ts'
import { useMe } from '../kit/me.tsx'
import { backgroundColour } from '../media/thumbhash.ts'
import { useKeepFocus } from '../ui/hooks.ts'
import { cardInWords, listOfCard } from './card-words.ts'
import { useToday } from './dates.ts'
import { topQuery, usePutAway } from './queries.ts'
import { texts } from './texts.ts'

const Story = lazy(async () => ({ default: (await import('./Story.tsx')).Story }))

/** Above the photos of the gallery: what is new since the last visit, and this day in other years. */
export function GalleryTop() {
  const today = useToday()
  return <Strip key={today} today={today} />
}

function Strip({ today }: { today: string }) {
  const { data } = useQuery(topQuery(today))
  // What was not there at first does not push the photos down later.
  const [first, setFirst] = useState(data)
  if (first === undefined && data !== undefined) setFirst(data)
  const cards = (first?.cards.length ?? 0) === 0 ? [] : (data?.cards ?? [])
  const isShown = cards.length > 0
  const { openStory, story } = useStory()
  useRememberForSkeleton(data === undefined ? undefined : isShown)
  // The button that puts the last card away disappears with it.
  const keepFocus = useKeepFocus<HTMLDivElement>()
  return (
    <div {...keepFocus} className="focus-visible:outline-none">
      {isShown && (
        <section aria-label={texts.top.label} className="top-strip">
          <ScrolledCards>
            <Cards cards={cards} onOpen={openStory} />
            <li>
              <Link to={RECENT_PATH} className="top-card top-card-link">
                <Clock aria-hidden="true" className="size-6" />
                {texts.new.recent}
              </Link>
            </li>
          </ScrolledCards>
        </section>
      )}
      {story}
    </div>
  )
}

/** The story that is open. It goes on when its card disappears from the strip in the meantime. */
export function useStory() {
  const me = useMe()
  const [opened, setOpened] = useState<Card>()
  const story = opened !== undefined && me !== null && (
    <Suspense fallback={null}>
      <Story
        card={opened.key}
        title={cardInWords(opened)}
        listPath={listOfCard(opened, me.id)}
        onClose={() => setOpened(undefined)}
      />
    </Suspense>
  )
  return { openStory: setOpened, story }
}

/** Items of a list; each opens as a story. */
export function Cards({ cards, onOpen }: { cards: readonly Card[]; onOpen: (card: Card) => void }) {
  const putAway = usePutAway()
  return (
    <>
      {cards.map(card => (
        <li key={card.key} className="top-card">
          <CardOpener card={card} onOpen={() => onOpen(card)} />
          <button
            type="button"
            aria-label={texts.top.putAway({ name: cardInWords(card) })}
            title={texts.top.putAwayShort}
            onClick={() => putAway(card)}
            className="top-card-close"
          >
            <span className="photo-text rounded-full p-1.5">
              <X aria-hidden="true" className="size-4" />
            </span>
          </button>
        </li>
      ))}
    </>
  )
}

function CardOpener({ card, onOpen }: { card: Card; onOpen: () => void }) {
  const words = cardInWords(card)
  const content = (
    <>
      <CoverPicture cover={card.cover} />
      <span className="top-card-words" dir="auto">
        {words}
      </span>
    </>
  )
  if (card.kind === 'guests') {
    return (
      <Link to="/guest-uploads" className="top-card-open">
        {content}
      </Link>
    )
  }
  return (
    <button type="button" aria-label={texts.top.open({ name: words })} onClick={onOpen} className="top-card-open">
      {content}
    </button>
  )
}

function CoverPicture({ cover }: Pick<Card, 'cover'>) {
  const [failed, setFailed] = useState(false)
  return (
    <span
      className="top-card-cover"
      style={{ backgroundColor: cover?.thumbhash == null ? undefined : backgroundColour(cover.thumbhash) }}
    >
      {cover?.thumbnail_url != null && !failed && (
        <img
          src={cover.thumbnail_url}
          srcSet={cover.mobile_url === null ? undefined : `${cover.thumbnail_url} 300w, ${cover.mobile_url} 800w`}
          sizes="208px"
          alt=""
          draggable={false}
          onError={() => setFailed(true)}
        />
      )}
    </span>
  )
}

/** A row that is swiped, scrolled by two buttons, and moved through by the arrow keys. */
function ScrolledCards({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null)
  const [more, setMore] = useState({ before: false, after: false })
  useEffect(() => {
    const row = list.current
    if (row === null) return
    const measure = () => {
      const [at, end] = [Math.abs(row.scrollLeft), row.scrollWidth - row.clientWidth]
      const next = { before: at > 4, after: at < end - 4 }
      setMore(now => (now.before === next.before && now.after === next.after ? now : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(row)
    for (const item of row.children) observer.observe(item)
    row.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      row.removeEventListener('scroll', measure)
    }
  })
  const scroll = (way: 1 | -1) =>
    list.current?.scrollBy({ left: way * list.current.clientWidth * 0.8, behavior: 'smooth' })
  return (
    <>
      <ul ref={list} onKeyDown={moveByArrows} className="top-cards">
        {children}
      </ul>
      {/* Of a mouse: the keyboard scrolls by moving the focus. */}
      {more.before && (
        <button type="button" tabIndex={-1} aria-hidden="true" onClick={() => scroll(-1)} className="top-scroll left-1">
          <ChevronLeft className="size-5" />
        </button>
      )}
      {more.after && (
        <button type="button" tabIndex={-1} aria-hidden="true" onClick={() => scroll(1)} className="top-scroll right-1">
          <ChevronRight className="size-5" />
        </button>
      )}
    </>
  )
}

function moveByArrows(event: KeyboardEvent<HTMLUListElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  const item = document.activeElement?.closest('li')
  if (step === 0 || item == null) return
  const next = step === 1 ? item.nextElementSibling : item.previousElementSibling
  next?.querySelector<HTMLElement>('a, button')?.focus()
  event.preventDefault()
}

/** The script in index.html leaves room for the strip if the last page had one. */
function useRememberForSkeleton(isShown: boolean | undefined): void {
  useEffect(() => {
    if (isShown === true) localStorage.setItem('gallery-top', 'shown')
    if (isShown === false) localStorage.removeItem('gallery-top')
  }, [isShown])
}
