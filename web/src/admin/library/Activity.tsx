import { useState } from 'react'
import { describeAggregated } from '#contract/audit.ts'
import { formatDateAndTime } from '../../kit/format.ts'
import { Button } from '../../ui/Button.tsx'
import { PersonLink } from '../../ui/PersonLink.tsx'
import { Select } from '../../ui/Select.tsx'
import { type AggregatedActivity, aggregateActivity } from './aggregate-activity.ts'
import { deletedNotes } from './deleted-notes.ts'
import { PagedList } from './PagedList.tsx'
import { useActivity, usePeople, useRestoreNote } from './queries.ts'
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
    ...people.map(person => ({ value: String(person.id), label: person.name })),
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
          </span>{' '}
          <bdi>{describeAggregated(group.lines)}</bdi>
        </p>
        {group.lines.length > 1 && (
          <details className="text-ink-soft text-small">
            <summary className="w-fit cursor-pointer py-1">{texts.activity.which}</summary>
            <ul>
              {group.lines.map(one => (
                <li key={one.id}>
                  <bdi>{one.subject_name ?? texts.activity.gone}</bdi>
                </li>
              ))}
            </ul>
          </details>
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
