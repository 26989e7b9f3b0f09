import { useId } from 'react'
import type { LibraryOverview } from '#contract/admin.ts'
import { DAY } from '#contract/limits.ts'
import { dateFormat, formatCount, formatDateAndTime, formatKinds, formatSize } from '../../kit/format.ts'
import { region } from '../../kit/messages.ts'
import { useScreen } from '../../ui/use-screen.ts'
import { hasMailProblem, MailStat } from './MailStat.tsx'
import { isOldProgram } from './old-program.ts'
import { useLibraryOverview, useMailStatus } from './queries.ts'
import { Stat } from './Stat.tsx'
import { texts } from './texts.ts'

const words = texts.overview
const days = new Intl.RelativeTimeFormat(region, { numeric: 'auto' })

/** How the library is doing: below the counts of people. Folded on phones, where the people would be far below it. */
export function Overview() {
  const id = useId()
  const { data: overview } = useLibraryOverview()
  const roomy = useScreen('sm')
  // Keeps its place while it loads, so that the lists below do not move.
  if (!overview) return <div className="mb-8 min-h-18 max-sm:mb-4 sm:min-h-100 lg:min-h-64" />
  return (
    <section aria-labelledby={id} className="mb-8 rounded-card border border-line bg-raised max-sm:mb-4 sm:p-6">
      {roomy ? (
        <>
          <h2 id={id} className="sr-only">
            {words.heading}
          </h2>
          <AllStats overview={overview} />
        </>
      ) : (
        <details>
          <summary className="cursor-pointer px-4 py-3">
            <h2 id={id} className="inline font-semibold">
              {words.heading}
            </h2>{' '}
            <Summary overview={overview} />
          </summary>
          <div className="px-4 pt-1 pb-4">
            <AllStats overview={overview} />
          </div>
        </details>
      )}
    </section>
  )
}

function Summary({ overview }: { overview: LibraryOverview }) {
  const { data: mail } = useMailStatus()
  const warnings = [...warningsOf(overview), ...(mail && hasMailProblem(mail) ? (['mail'] as const) : [])]
  return (
    <>
      <span className="text-ink-soft text-small">
        {formatKinds(overview.images, overview.videos)}, {formatSize(overview.bytes)}
      </span>
      {warnings.length > 0 && (
        <span className="block text-danger text-small">
          {words.lookAt({ figures: warnings.map(name => words.figures[name]).join(', ') })}
        </span>
      )}
    </>
  )
}

const LITTLE_DISK = 0.05
const OLD_BACKUP_DAYS = 7

/** What an admin should do something about. */
function warningsOf({ disk, last_backup, jobs, sandbox, ffmpeg }: LibraryOverview) {
  const warnings = {
    disk: disk !== null && disk.free < disk.total * LITTLE_DISK,
    backup: last_backup === null || last_backup.problems > 0 || daysSince(last_backup.at) > OLD_BACKUP_DAYS,
    failed: jobs.failed > 0,
    sandbox: sandbox !== 'full',
    ffmpeg: ffmpeg === null || isOldProgram(ffmpeg.year, Date.now()),
  }
  return (['disk', 'backup', 'failed', 'sandbox', 'ffmpeg'] as const).filter(name => warnings[name])
}

function daysSince(moment: string): number {
  return Math.max(0, Math.floor((Date.now() - Date.parse(moment)) / DAY))
}

function AllStats({ overview }: { overview: LibraryOverview }) {
  const warnings = warningsOf(overview)
  return (
    <div className="grid gap-x-10 gap-y-5 lg:grid-cols-[3fr_2fr]">
      <dl className="grid grid-cols-2 content-start gap-x-6 gap-y-4 sm:grid-cols-4">
        <Stat name={words.files} more={formatKinds(overview.images, overview.videos)}>
          {formatCount(overview.images + overview.videos)}
        </Stat>
        <Stat name={words.storage} more={words.originals}>
          {formatSize(overview.bytes)}
        </Stat>
        <Disk overview={overview} warn={warnings.includes('disk')} />
        <Backup backup={overview.last_backup} warn={warnings.includes('backup')} />
        <Stat name={words.waiting}>{formatCount(overview.jobs.waiting)}</Stat>
        <Stat name={words.failed} more={words.lately} warn={warnings.includes('failed')}>
          {formatCount(overview.jobs.failed)}
        </Stat>
        <Stat name={words.sandbox} warn={warnings.includes('sandbox')}>
          {words.sandboxLevels[overview.sandbox]}
        </Stat>
        <Stat name={words.version}>{overview.version}</Stat>
        <VideoProgram ffmpeg={overview.ffmpeg} warn={warnings.includes('ffmpeg')} />
        <MailStat />
      </dl>
      <Growth months={overview.months} />
    </div>
  )
}

function Disk({ overview: { disk, in_store }, warn }: { overview: LibraryOverview; warn: boolean }) {
  const more = in_store ? words.inStore : undefined
  if (disk === null) {
    return (
      <Stat name={words.disk} more={more}>
        {words.unknown}
      </Stat>
    )
  }
  return (
    <Stat name={words.disk} more={more ?? words.diskOf({ total: formatSize(disk.total) })} warn={warn}>
      {formatSize(disk.free)}
    </Stat>
  )
}

function Backup({ backup, warn }: { backup: LibraryOverview['last_backup']; warn: boolean }) {
  if (backup === null) {
    return (
      <Stat name={words.backup} more={words.howToBackUp} warn={warn}>
        {words.noBackup}
      </Stat>
    )
  }
  return (
    <Stat
      name={words.backup}
      title={formatDateAndTime(backup.at)}
      warn={warn}
      more={
        backup.problems > 0 ? words.backupProblems({ count: backup.problems }) : words.backedUp({ count: backup.files })
      }
    >
      {days.format(-daysSince(backup.at), 'day')}
    </Stat>
  )
}

function VideoProgram({ ffmpeg, warn }: { ffmpeg: LibraryOverview['ffmpeg']; warn: boolean }) {
  if (ffmpeg === null) {
    return (
      <Stat name={words.ffmpeg} more={words.noFfmpegHint} warn={warn}>
        {words.noFfmpeg}
      </Stat>
    )
  }
  const { version, year, origin } = ffmpeg
  const more = [words.ffmpegOrigins[origin], warn && words.oldFfmpeg[origin]].filter(Boolean).join(' ')
  return (
    <Stat name={words.ffmpeg} more={more} warn={warn}>
      {year === null ? words.ffmpegVersion({ version }) : words.ffmpegVersionOfYear({ version, year: String(year) })}
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
            title={words.added({ month: name, count: files, size: formatSize(bytes) })}
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
