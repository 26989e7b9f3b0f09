import { useState } from 'react'
import type { ActivityLine } from '#contract/admin.ts'
import { describeActivity } from '#contract/audit.ts'
import { formatDateAndTime } from '../../kit/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'
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
  const choices = [
    { value: EVERYONE, label: texts.activity.everyone },
    ...people.map(person => ({ value: String(person.id), label: person.name })),
  ]
  return (
    <>
      <div className="border-line border-b p-4 sm:px-6">
        <Select label={texts.activity.who} value={who} choices={choices} onChoose={setWho} />
      </div>
      <PagedList {...lines} empty={texts.activity.empty}>
        {line => <Line line={line} restorable={restorable.get(line.id)} />}
      </PagedList>
    </>
  )
}

function Line({ line, restorable }: { line: ActivityLine; restorable: number | undefined }) {
  const restore = useRestoreNote(line.subject_id)
  return (
    <>
      <p className="wrap-anywhere min-w-0 flex-1 basis-64">
        <span className="font-semibold">
          <bdi>{line.actor?.name ?? texts.activity.product}</bdi>
        </span>{' '}
        <bdi>{describeActivity(line)}</bdi>
      </p>
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
