import './memories.css'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Clock, EyeOff, Image, Play } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Answer } from '#contract/endpoint.ts'
import type { MediaFile } from '#contract/media.ts'
import { type MemoryGroup, MonthDay, memories } from '#contract/memories.ts'
import { filterPath, RECENT_PATH } from '../kit/filter-path.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { query } from '../kit/queries.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { memoryInWords } from './card-words.ts'
import { daysOfMonth, formatFullDay, formatMonthDay, monthNames, stepMonthDay, useToday } from './dates.ts'
import { Cards, useStory } from './GalleryTop.tsx'
import { topQuery, useHideDay, useHidePhoto } from './queries.ts'
import { texts } from './texts.ts'

const Story = lazy(async () => ({ default: (await import('./Story.tsx')).Story }))

/** What is new, and the photos of a day in other years; the day is in the URL. */
export function MemoriesPage() {
  const today = useToday()
  const [params, setParams] = useSearchParams()
  const day = MonthDay.safeParse(params.get('day')).data ?? today.slice(5)
  const found = useQuery(query(memories, { query: { today, day } }, texts.loadFailed))
  const choose = (next: string) => setParams(next === today.slice(5) ? {} : { day: next }, { preventScrollReset: true })
  usePageTitle(texts.place)
  const keepFocus = useKeepFocus<HTMLDivElement>()
  return (
    <>
      <h1 className="mb-4 font-semibold text-heading sm:text-title">{texts.place}</h1>
      <New today={today} />
      <h2 className="font-semibold text-lead">{texts.heading({ day: formatMonthDay(day) })}</h2>
      <p className="mb-3 text-ink-soft">{texts.subtitle}</p>
      <DayChooser day={day} today={today.slice(5)} onChoose={choose} />
      <div {...keepFocus} className="flex flex-col gap-10 focus-visible:outline-none">
        {found.data === undefined ? (
          <LoadingOrError query={found} texts={texts} />
        ) : found.data.groups.length === 0 ? (
          <NoneOfDay day={day} nearest={found.data.nearest} onChoose={choose} />
        ) : (
          found.data.groups.map(group => <Group key={group.date} group={group} />)
        )}
      </div>
    </>
  )
}

/** The cards that are not of this day, which is below. */
function New({ today }: { today: string }) {
  const { data } = useQuery(topQuery(today))
  const { openStory, story } = useStory()
  const cards = data?.cards.filter(({ kind }) => kind !== 'memory') ?? []
  return (
    <section aria-label={texts.new.heading} className="mb-8 flex flex-col gap-3">
      {cards.length > 0 && (
        <>
          <h2 className="font-semibold text-lead">{texts.new.heading}</h2>
          <ul className="top-grid">
            <Cards cards={cards} onOpen={openStory} />
          </ul>
        </>
      )}
      <Link
        to={RECENT_PATH}
        className="inline-flex min-h-touch w-fit items-center gap-2 font-semibold text-accent underline underline-offset-4"
      >
        <Clock aria-hidden="true" className="size-5" />
        {texts.new.recent}
      </Link>
      {story}
    </section>
  )
}

interface NoneProps {
  day: string
  nearest: Answer<typeof memories>['nearest']
  onChoose: (day: string) => void
}

function NoneOfDay({ day, nearest, onChoose }: NoneProps) {
  const { none } = texts
  const title = none.title({ day: formatMonthDay(day) })
  if (nearest === null) return <EmptyState title={title} text={none.text} />
  const other = formatMonthDay(nearest.day)
  return (
    <EmptyState title={title} text={none.nearest({ day: other, count: nearest.count })}>
      <Button variant="primary" onClick={() => onChoose(nearest.day)}>
        {none.show({ day: other })}
      </Button>
    </EmptyState>
  )
}

interface ChooserProps {
  day: string
  today: string
  onChoose: (day: string) => void
}

function DayChooser({ day, today, onChoose }: ChooserProps) {
  const [month = 1, date = 1] = day.split('-').map(Number)
  const choose = (month: number, date: number) =>
    onChoose(`${twoDigits(month)}-${twoDigits(Math.min(date, daysOfMonth(month)))}`)
  const days = Array.from({ length: daysOfMonth(month) }, (_, i) => String(i + 1))
  return (
    <div className="mb-8 flex flex-wrap items-end gap-2">
      <IconButton label={texts.day.previous} onClick={() => onChoose(stepMonthDay(day, -1))}>
        <ChevronLeft aria-hidden="true" className="size-5" />
      </IconButton>
      <SelectField
        label={texts.day.day}
        value={String(date)}
        choices={days.map(value => ({ value, label: value }))}
        onChange={value => choose(month, Number(value))}
      />
      <SelectField
        label={texts.day.month}
        value={String(month)}
        choices={monthNames().map((label, i) => ({ value: String(i + 1), label }))}
        onChange={value => choose(Number(value), date)}
      />
      <IconButton label={texts.day.next} onClick={() => onChoose(stepMonthDay(day, 1))}>
        <ChevronRight aria-hidden="true" className="size-5" />
      </IconButton>
      {day !== today && <Button onClick={() => onChoose(today)}>{texts.day.today}</Button>}
    </div>
  )
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

function Group({ group: { date, years, place, count, files } }: { group: MemoryGroup }) {
  const id = useId()
  const hide = useHideDay()
  const [playing, setPlaying] = useState(false)
  const name = memoryInWords({ years, place })
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-56">
          <h3 id={id} className="font-semibold text-lead">
            <bdi>{name}</bdi>
          </h3>
          <p className="text-ink-soft text-small">{formatFullDay(date)}</p>
        </div>
        <Button
          icon={<Play aria-hidden="true" className="size-4" />}
          aria-label={texts.playDayOf({ name })}
          onClick={() => setPlaying(true)}
        >
          {texts.playDay}
        </Button>
        <Button
          variant="bare"
          icon={<EyeOff aria-hidden="true" className="size-4" />}
          aria-label={texts.hideDay.of({ date: formatFullDay(date) })}
          busy={hide.busy}
          onClick={() => void hide.run({ params: { date } })}
        >
          {texts.hideDay.label}
        </Button>
      </header>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(30%,9.5rem),1fr))] gap-1">
        {files.map(file => (
          <li key={file.id} className="memory-photo aspect-square">
            <Photo file={file} date={date} />
          </li>
        ))}
      </ul>
      {count > files.length && (
        <Link
          to={`/?memory=${date}`}
          className="inline-flex min-h-touch w-fit items-center font-semibold text-accent underline underline-offset-4"
        >
          {texts.all({ count })}
        </Link>
      )}
      {playing && (
        <Suspense fallback={null}>
          <Story
            card={`memory:${date}`}
            title={name}
            listPath={filterPath({ memory: date })}
            onClose={() => setPlaying(false)}
          />
        </Suspense>
      )}
    </section>
  )
}

function Photo({ file, date }: { file: MediaFile; date: string }) {
  const hide = useHidePhoto()
  return (
    <>
      <Link
        to={`/?memory=${date}&file=${file.id}`}
        aria-label={file.original_name}
        className="relative grid size-full place-items-center overflow-hidden rounded-photo bg-sunken text-ink-soft"
      >
        {file.thumbnail_url === null ? (
          <Image aria-hidden="true" className="size-8" />
        ) : (
          <img src={file.thumbnail_url} alt="" loading="lazy" className="size-full object-cover" />
        )}
        {file.file_type === 'video' && (
          <span className="photo-text absolute right-1 bottom-1 rounded-full p-1.5">
            <Play aria-hidden="true" className="size-3" />
          </span>
        )}
      </Link>
      <button
        type="button"
        aria-label={texts.hidePhoto.label({ name: file.original_name })}
        title={texts.hidePhoto.label({ name: file.original_name })}
        className="memory-hide"
        onClick={() => void hide.run({ params: { id: file.id } })}
      >
        <span className="photo-text rounded-full p-1.5">
          <EyeOff aria-hidden="true" className="size-4" />
        </span>
      </button>
    </>
  )
}
