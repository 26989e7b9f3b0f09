import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { type EmergencySheet, emergencySheet } from '#contract/admin.ts'
import { dateFormat } from '../../kit/format.ts'
import { usePageTitle } from '../../kit/page-title.ts'
import { query } from '../../kit/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { LoadingOrError } from '../../ui/LoadingOrError.tsx'
import { texts } from './texts.ts'
import './emergency-sheet.css'

const exportCommand = 'npm run export -- /media/disk/photos'

const inWords = dateFormat(undefined, { dateStyle: 'long' })

/** For paper: without the frame of the app, and light also in the dark theme. */
export function EmergencySheetPage() {
  usePageTitle(texts.page)
  const sheet = useQuery(query(emergencySheet, {}, texts.loadFailed))
  return (
    <main className="emergency-sheet mx-auto flex max-w-[210mm] flex-col gap-4 p-4 sm:p-8">
      <div className="flex flex-wrap items-center gap-3 print:hidden">
        <p className="min-w-0 flex-1 basis-64 text-ink-soft">{texts.hint}</p>
        <Link to="/admin" className="font-semibold text-accent underline underline-offset-4">
          {texts.back}
        </Link>
        <Button
          variant="primary"
          icon={<Printer aria-hidden="true" className="size-5" />}
          disabled={sheet.data === undefined}
          onClick={() => window.print()}
        >
          {texts.print}
        </Button>
      </div>
      {sheet.data === undefined ? <LoadingOrError query={sheet} texts={texts} /> : <Sheet sheet={sheet.data} />}
    </main>
  )
}

function Sheet({ sheet }: { sheet: EmergencySheet }) {
  const { title, version, address, admins } = sheet
  return (
    <article className="flex flex-col gap-4">
      <header className="flex flex-col gap-1">
        <h1 className="font-semibold text-heading">{texts.heading}</h1>
        <p>{texts.about({ title, version, date: inWords.format(new Date()) })}</p>
      </header>
      <Part heading={texts.open.heading}>
        <p>{texts.open.text}</p>
        <Facts>
          <Fact name={texts.open.address}>
            <strong>{address}</strong>
          </Fact>
          <Fact name={texts.open.admins}>
            {admins.map(({ name, email }) => (
              <span key={email} className="block">
                {name} ({email})
              </span>
            ))}
            <span className="block text-ink-soft">{texts.open.adminsHint}</span>
          </Fact>
        </Facts>
      </Part>
      <Places sheet={sheet} />
      <Part heading={texts.take.heading}>
        <p>{texts.take.text}</p>
        <Command>{exportCommand}</Command>
        {sheet.files.kind === 'folder' && <p>{texts.take.files({ folder: `${sheet.files.folder}/originals` })}</p>}
      </Part>
      <Part heading={texts.restore.heading}>
        <p>{texts.restore.text({ archive: `heirloom-${version}.tar.gz` })}</p>
        <Command>{`npm run restore -- ${quoted(sheet.last_backup?.folder ?? texts.restore.backupFolder)}\nnpm start`}</Command>
        <p>{texts.restore.then}</p>
      </Part>
      <Part heading={texts.fill.heading}>
        {/* No fields: what is written here belongs on paper alone. */}
        <ul className="flex flex-col">
          {byHand.map(line => (
            <li key={line} className="blank-line">
              {texts.fill[line]}
            </li>
          ))}
        </ul>
      </Part>
    </article>
  )
}

const byHand = [
  ...(['computer', 'password', 'settings', 'provider', 'domain', 'backup', 'disk'] as const),
  ...(['program', 'call', 'call2', 'by'] as const),
]

function Places({ sheet }: { sheet: EmergencySheet }) {
  const { machine, program_folder, data_folder, database, files, last_backup } = sheet
  const { where } = texts
  return (
    <Part heading={where.heading}>
      <p className="text-ink-soft">{where.hint}</p>
      <Facts>
        <Fact name={where.machine}>{machine}</Fact>
        <Fact name={where.program}>{program_folder}</Fact>
        <Fact name={where.settings}>{program_folder.replace(/\/?$/, '/.env')}</Fact>
        <Fact name={where.data}>{data_folder}</Fact>
        <Fact name={where.database}>
          {database.kind === 'sqlite'
            ? where.sqlite({ file: database.file })
            : where.postgres({ name: database.name || where.unknown, host: database.host || where.unknown })}
        </Fact>
        <Fact name={where.originals}>
          {files.kind === 'folder'
            ? files.folder
            : where.s3({ bucket: files.bucket, endpoint: files.endpoint ?? where.amazon })}
        </Fact>
        <Fact name={where.backup}>{last_backup === null ? where.none : backupInWords(last_backup)}</Fact>
      </Facts>
    </Part>
  )
}

function backupInWords({ at, files, folder, machine, problems }: NonNullable<EmergencySheet['last_backup']>): string {
  const { where } = texts
  const facts = { date: inWords.format(new Date(at)), count: files }
  const made =
    folder === null
      ? where.backedUp(facts)
      : machine === null
        ? where.backedUpTo({ ...facts, folder })
        : where.backedUpOn({ ...facts, folder, machine })
  return problems === 0 ? made : `${made}; ${where.damaged({ count: problems })}`
}

/** As one word of a command. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

function Part({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="border-line border-b pb-1 font-semibold text-lead">
        {heading}
      </h2>
      {children}
    </section>
  )
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[12rem_1fr] print:grid-cols-[12rem_1fr]">{children}</dl>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="wrap-anywhere min-w-0">{children}</dd>
    </>
  )
}

function Command({ children }: { children: string }) {
  return (
    <pre className="wrap-anywhere whitespace-pre-wrap rounded-control border border-line px-3 py-2 font-mono text-small">
      {children}
    </pre>
  )
}
