import { Printer } from 'lucide-react'
import { useId } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { AdminStats } from '#contract/people.ts'
import { ApiError } from '../kit/api.ts'
import { formatCount } from '../kit/format.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { type Tab, Tabs } from '../ui/Tabs.tsx'
import { texts as sheetTexts } from './emergency-sheet/texts.ts'
import { HandOver } from './HandOver.tsx'
import { Invitations } from './invitations/Invitations.tsx'
import { texts as invitationTexts } from './invitations/texts.ts'
import { Activity } from './library/Activity.tsx'
import { FailedFiles } from './library/FailedFiles.tsx'
import { Overview } from './library/Overview.tsx'
import { useFailedFiles, useSourceFolders } from './library/queries.ts'
import { SourceFolders } from './library/SourceFolders.tsx'
import { texts as care } from './library/texts.ts'
import { PeopleList } from './PeopleList.tsx'
import { useAdminStats } from './queries.ts'
import { texts } from './texts.ts'

export function AdminPage() {
  usePageTitle(texts.page)
  const query = useAdminStats()
  const { data: stats, error } = query

  if (error instanceof ApiError && error.status === 403) return <AdminsOnly />
  return (
    <>
      <PageHeader heading={texts.heading} subtitle={texts.subtitle} />
      {stats !== undefined ? (
        <>
          <CountCards stats={stats} />
          <Overview />
          <Sections stats={stats} />
          <Succession people={stats.approvedUsers} />
        </>
      ) : (
        <LoadingOrError query={query} texts={texts} />
      )}
    </>
  )
}

/** The open tab is part of the URL, for reloads and bookmarks. */
function Sections({ stats }: { stats: AdminStats }) {
  const [search, setSearch] = useSearchParams()
  const { lines, more } = useFailedFiles()
  const { data: folders } = useSourceFolders()
  const failed = lines && `${formatCount(lines.length)}${more === undefined ? '' : '+'}`
  const tabs = [
    {
      value: 'pending',
      label: texts.pending.label,
      count: formatCount(stats.pendingUserCount),
      content: <PeopleList list="pending" people={stats.pendingUsers} />,
    },
    {
      value: 'approved',
      label: texts.approved.label,
      count: formatCount(stats.approvedUserCount),
      content: <PeopleList list="approved" people={stats.approvedUsers} />,
    },
    {
      value: 'denied',
      label: texts.denied.label,
      count: formatCount(stats.deniedUserCount),
      content: <PeopleList list="denied" people={stats.deniedUsers} />,
    },
    { value: 'invitations', label: invitationTexts.tab, content: <Invitations /> },
    {
      value: 'failed-files',
      label: care.failedFiles.label,
      ...(failed === undefined ? {} : { count: failed }),
      content: <FailedFiles />,
    },
    ...(folders === undefined || (folders.inbox === null && folders.watched.length === 0)
      ? []
      : [{ value: 'folders', label: care.sourceFolders.label, content: <SourceFolders folders={folders} /> }]),
    { value: 'activity', label: care.activity.label, content: <Activity /> },
  ] as const satisfies Tab<string>[]
  const open = tabs.find(tab => tab.value === search.get('tab')) ?? tabs[0]
  return (
    <Tabs
      label={texts.sections}
      tabs={tabs}
      value={open.value}
      onChange={value => setSearch({ tab: value }, { replace: true, preventScrollReset: true })}
    />
  )
}

/** What a library needs that is to outlive its admin. */
function Succession({ people }: { people: AdminStats['approvedUsers'] }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-10 flex flex-col gap-3 border-line border-t pt-6">
      <h2 id={id} className="font-semibold text-lead">
        {texts.handOver.heading}
      </h2>
      <p className="text-ink-soft">{texts.handOver.intro}</p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Link
          to="/admin/emergency-sheet"
          className="inline-flex min-h-touch items-center gap-2 font-semibold text-accent underline underline-offset-4"
        >
          <Printer aria-hidden="true" className="size-5" />
          {sheetTexts.link}
        </Link>
        <HandOver people={people} />
      </div>
    </section>
  )
}

/** The server responded that this person is no admin. */
function AdminsOnly() {
  return (
    <EmptyState headingLevel="h1" title={texts.notForYou.title} text={texts.notForYou.text}>
      <Link to="/" className="font-semibold text-accent underline underline-offset-4">
        {texts.notForYou.back}
      </Link>
    </EmptyState>
  )
}

function CountCards({ stats }: { stats: AdminStats }) {
  return (
    <ul className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-px sm:grid-cols-4 overflow-hidden rounded-card border border-line bg-line">
      <Card label={texts.pending.label} value={formatCount(stats.pendingUserCount)} />
      <Card label={texts.approved.label} value={formatCount(stats.approvedUserCount)} />
      <Card label={texts.denied.label} value={formatCount(stats.deniedUserCount)} />
      <Card label={texts.role.label} value={texts.role.value} />
    </ul>
  )
}

function Card({ label, value }: { label: string; value: string }) {
  return (
    <li className="wrap-anywhere bg-raised px-4 py-4 sm:px-6">
      <span className="block text-small text-ink-soft">{label}</span>{' '}
      <span className="block font-semibold font-serif text-heading">{value}</span>
    </li>
  )
}
