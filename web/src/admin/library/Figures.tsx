import { type ReactNode, useId } from 'react'
import type { LibraryFigures } from '#contract/admin.ts'
import { DAY } from '#contract/limits.ts'
import { dateFormat, formatCount, formatDateAndTime, formatSize } from '../../kit/format.ts'
import { useLibraryFigures } from './queries.ts'
import { texts } from './texts.ts'

const words = texts.figures

/** How the library is doing: below the counts of people. */
export function Figures() {
  const id = useId()
  const { data: figures } = useLibraryFigures()
  // Keeps its place while it loads, so that the lists below do not move.
  if (!figures) return <div className="mb-8 min-h-110 sm:min-h-80 lg:min-h-44" />
  return (
    <section
      aria-labelledby={id}
      className="mb-8 grid gap-x-10 gap-y-5 rounded-card border border-line bg-raised p-4 sm:p-6 lg:grid-cols-[3fr_2fr]"
    >
      <h2 id={id} className="sr-only">
        {words.heading}
      </h2>
      <dl className="grid grid-cols-2 content-start gap-x-6 gap-y-4 sm:grid-cols-4">
        <Figure name={words.files} more={words.kinds(figures.images, figures.videos)}>
          {formatCount(figures.images + figures.videos)}
        </Figure>
        <Figure name={words.storage} more={words.originals}>
          {formatSize(figures.bytes)}
        </Figure>
        <Disk figures={figures} />
        <Backup backup={figures.last_backup} />
        <Figure name={words.waiting}>{formatCount(figures.jobs.waiting)}</Figure>
        <Figure name={words.failed} more={words.lately} warn={figures.jobs.failed > 0}>
          {formatCount(figures.jobs.failed)}
        </Figure>
        <Figure name={words.sandbox} warn={figures.sandbox !== 'full'}>
          {words.sandboxLevels[figures.sandbox]}
        </Figure>
        <Figure name={words.version}>{figures.version}</Figure>
      </dl>
      <Growth months={figures.months} />
    </section>
  )
}

interface FigureProps {
  name: string
  more?: string | undefined
  warn?: boolean
  title?: string
  children: ReactNode
}

function Figure({ name, more, warn = false, title, children }: FigureProps) {
  return (
    <div className="wrap-anywhere min-w-0">
      <dt className="text-ink-soft text-small">{name}</dt>
      <dd title={title}>
        <span className={`inline-block font-semibold tabular-nums first-letter:uppercase ${warn ? 'text-danger' : ''}`}>
          {children}
        </span>
        {more !== undefined && <span className="block text-fine text-ink-soft">{more}</span>}
      </dd>
    </div>
  )
}

const LITTLE_DISK = 0.05

function Disk({ figures: { disk, in_store } }: { figures: LibraryFigures }) {
  const more = in_store ? words.inStore : undefined
  if (disk === null) {
    return (
      <Figure name={words.disk} more={more}>
        {words.unknown}
      </Figure>
    )
  }
  return (
    <Figure
      name={words.disk}
      more={more ?? words.diskOf(formatSize(disk.total))}
      warn={disk.free < disk.total * LITTLE_DISK}
    >
      {formatSize(disk.free)}
    </Figure>
  )
}

const OLD_BACKUP_DAYS = 7

function Backup({ backup }: { backup: LibraryFigures['last_backup'] }) {
  if (backup === null) {
    return (
      <Figure name={words.backup} more={words.howToBackUp} warn>
        {words.noBackup}
      </Figure>
    )
  }
  const days = Math.max(0, Math.floor((Date.now() - Date.parse(backup.at)) / DAY))
  return (
    <Figure
      name={words.backup}
      title={formatDateAndTime(backup.at)}
      warn={days > OLD_BACKUP_DAYS || backup.problems > 0}
      more={backup.problems > 0 ? words.backupProblems(backup.problems) : words.backedUp(backup.files)}
    >
      {words.daysAgo(days)}
    </Figure>
  )
}

/** Bars for the eye, a table for screen readers. */
function Growth({ months }: { months: LibraryFigures['months'] }) {
  const most = Math.max(1, ...months.map(({ bytes }) => bytes))
  const named = months.map(month => ({
    ...month,
    name: monthName(month.month, 'long'),
    short: monthName(month.month, 'narrow'),
  }))
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="text-ink-soft text-small">{words.growth}</figcaption>
      <ol aria-hidden="true" className="flex h-24 items-end gap-1">
        {named.map(({ month, name, short, files, bytes }) => (
          <li
            key={month}
            title={words.added(name, formatCount(files), formatSize(bytes))}
            className="flex h-full min-w-0 flex-1 flex-col justify-end"
          >
            <span
              className="block rounded-t-[3px] bg-accent"
              style={{ height: bytes === 0 ? 1 : `max(3px, ${(bytes / most) * 100}%)` }}
            />
            <span className="block text-center text-fine text-ink-soft">{short}</span>
          </li>
        ))}
      </ol>
      {/* A table cannot be narrower than its words: hidden by itself, it would widen the page. */}
      <div className="sr-only">
        <table>
          <caption>{words.growth}</caption>
          <thead>
            <tr>
              <th scope="col">{words.month}</th>
              <th scope="col">{words.files}</th>
              <th scope="col">{words.storage}</th>
            </tr>
          </thead>
          <tbody>
            {named.map(({ month, name, files, bytes }) => (
              <tr key={month}>
                <th scope="row">{name}</th>
                <td>{formatCount(files)}</td>
                <td>{formatSize(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

function monthName(month: string, style: 'long' | 'narrow'): string {
  const year = style === 'long' ? ({ year: 'numeric' } as const) : {}
  return dateFormat(undefined, { month: style, ...year, timeZone: 'UTC' }).format(new Date(`${month}-01`))
}
