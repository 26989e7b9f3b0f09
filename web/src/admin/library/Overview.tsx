import { type ReactNode, useId } from 'react'
import type { LibraryOverview } from '#contract/admin.ts'
import { DAY } from '#contract/limits.ts'
import { dateFormat, formatCount, formatDateAndTime, formatSize } from '../../kit/format.ts'
import { useLibraryOverview } from './queries.ts'
import { texts } from './texts.ts'

const words = texts.overview

/** How the library is doing: below the counts of people. */
export function Overview() {
  const id = useId()
  const { data: overview } = useLibraryOverview()
  // Keeps its place while it loads, so that the lists below do not move.
  if (!overview) return <div className="mb-8 min-h-110 sm:min-h-80 lg:min-h-44" />
  return (
    <section
      aria-labelledby={id}
      className="mb-8 grid gap-x-10 gap-y-5 rounded-card border border-line bg-raised p-4 sm:p-6 lg:grid-cols-[3fr_2fr]"
    >
      <h2 id={id} className="sr-only">
        {words.heading}
      </h2>
      <dl className="grid grid-cols-2 content-start gap-x-6 gap-y-4 sm:grid-cols-4">
        <Stat name={words.files} more={words.kinds(overview.images, overview.videos)}>
          {formatCount(overview.images + overview.videos)}
        </Stat>
        <Stat name={words.storage} more={words.originals}>
          {formatSize(overview.bytes)}
        </Stat>
        <Disk overview={overview} />
        <Backup backup={overview.last_backup} />
        <Stat name={words.waiting}>{formatCount(overview.jobs.waiting)}</Stat>
        <Stat name={words.failed} more={words.lately} warn={overview.jobs.failed > 0}>
          {formatCount(overview.jobs.failed)}
        </Stat>
        <Stat name={words.sandbox} warn={overview.sandbox !== 'full'}>
          {words.sandboxLevels[overview.sandbox]}
        </Stat>
        <Stat name={words.version}>{overview.version}</Stat>
      </dl>
      <Growth months={overview.months} />
    </section>
  )
}

interface StatProps {
  name: string
  more?: string | undefined
  warn?: boolean
  title?: string
  children: ReactNode
}

function Stat({ name, more, warn = false, title, children }: StatProps) {
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

function Disk({ overview: { disk, in_store } }: { overview: LibraryOverview }) {
  const more = in_store ? words.inStore : undefined
  if (disk === null) {
    return (
      <Stat name={words.disk} more={more}>
        {words.unknown}
      </Stat>
    )
  }
  return (
    <Stat
      name={words.disk}
      more={more ?? words.diskOf(formatSize(disk.total))}
      warn={disk.free < disk.total * LITTLE_DISK}
    >
      {formatSize(disk.free)}
    </Stat>
  )
}

const OLD_BACKUP_DAYS = 7

function Backup({ backup }: { backup: LibraryOverview['last_backup'] }) {
  if (backup === null) {
    return (
      <Stat name={words.backup} more={words.howToBackUp} warn>
        {words.noBackup}
      </Stat>
    )
  }
  const days = Math.max(0, Math.floor((Date.now() - Date.parse(backup.at)) / DAY))
  return (
    <Stat
      name={words.backup}
      title={formatDateAndTime(backup.at)}
      warn={days > OLD_BACKUP_DAYS || backup.problems > 0}
      more={backup.problems > 0 ? words.backupProblems(backup.problems) : words.backedUp(backup.files)}
    >
      {words.daysAgo(days)}
    </Stat>
  )
}

/** Bars for the eye, a table for screen readers. */
function Growth({ months }: { months: LibraryOverview['months'] }) {
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
