import { type ReactNode, useState } from 'react'
import { formatDateAndTime } from '../../kit/format.ts'
import { Button } from '../../ui/Button.tsx'
import { LoadFailed } from '../../ui/LoadingOrError.tsx'
import { PersonLink } from '../../ui/PersonLink.tsx'
import { Select } from '../../ui/Select.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { type AggregatedActivity, aggregateActivity } from './aggregate-activity.ts'
import { deletedNotes } from './deleted-notes.ts'
import { describeAggregated } from './describe-activity.ts'
import { PagedList } from './PagedList.tsx'
import { useActivity, useActivityFiles, usePeople, useRestoreNote } from './queries.ts'
import { texts } from './texts.ts'

const EVERYONE = 'everyone'

/** The audit log, newest first. */
export function Activity() {
  const [who, setWho] = useState(EVERYONE)
  const people = usePeople().data ?? []
  const lines = useActivity(who === EVERYONE ? undefined : Number(who))
  const restorable = deletedNotes(lines.lines ?? [])
  const aggregated = lines.lines && aggregateActivity(lines.lines)
  const choices = [
    { value: EVERYONE, label: texts.activity.everyone },
    ...people.map(({ id, name, email }) => ({ value: String(id), label: email ? `${name} (${email})` : name })),
  ]
  return (
    <>
      <div className="border-line border-b p-4 sm:px-6">
        <Select label={texts.activity.who} value={who} choices={choices} onChoose={setWho} />
      </div>
      <PagedList {...lines} lines={aggregated} empty={texts.activity.empty}>
        {group => <Line group={group} restorable={restorable.get(group.id)} />}
      </PagedList>
    </>
  )
}

/** The names of several files are listed on demand. */
function Line({ group, restorable }: { group: AggregatedActivity; restorable: number | undefined }) {
  const [line] = group.lines
  const restore = useRestoreNote(line.subject_id)
  return (
    <>
      <div className="wrap-anywhere min-w-0 flex-1 basis-64">
        <p>
          <span className="font-semibold">
            <PersonLink id={line.actor?.id} name={line.actor?.name ?? texts.activity.product} />
          </span>
          {line.actor?.email && ` (${line.actor.email})`} <bdi>{describeAggregated(group.lines)}</bdi>
        </p>
        {group.lines.length > 1 && (
          <Which>
            <Names files={group.lines.map(({ id, subject_name }) => ({ id, name: subject_name }))} />
          </Which>
        )}
        {(line.files ?? 0) > 1 && (
          <Which>
            <FilesOfAct id={line.id} />
          </Which>
        )}
      </div>
      {restorable !== undefined && (
        <Button busy={restore.busy} onClick={() => void restore.run({ params: { id: restorable } })}>
          {texts.activity.restore.label}
        </Button>
      )}
      <time dateTime={line.at} className="text-fine text-ink-soft">
        {formatDateAndTime(line.at)}
      </time>
    </>
  )
}

/** Renders its content when it is opened. */
function Which({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="text-ink-soft text-small" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer py-1">{texts.activity.which}</summary>
      {open && children}
    </details>
  )
}

function FilesOfAct({ id }: { id: number }) {
  const { lines, error, retry, more } = useActivityFiles(id)
  if (lines === undefined) {
    return error === null ? (
      <Spinner size="small" label={texts.loading} />
    ) : (
      <LoadFailed error={error} retry={retry} texts={texts.failed} />
    )
  }
  return (
    <>
      <Names files={lines} />
      {more && (
        <Button busy={more.busy} onClick={more.load}>
          {texts.more}
        </Button>
      )}
    </>
  )
}

function Names({ files }: { files: readonly { id: number; name: string | null }[] }) {
  return (
    <ul>
      {files.map(({ id, name }) => (
        <li key={id}>
          <bdi>{name ?? texts.activity.gone}</bdi>
        </li>
      ))}
    </ul>
  )
}
