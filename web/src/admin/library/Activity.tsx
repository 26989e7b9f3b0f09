import { useState } from 'react'
import type { ActivityLine } from '#contract/admin.ts'
import { describeActivity } from '#contract/audit.ts'
import { formatDateAndTime } from '../../kit/format.ts'
import { Select } from '../../ui/Select.tsx'
import { PagedList } from './PagedList.tsx'
import { useActivity, usePeople } from './queries.ts'
import { texts } from './texts.ts'

const EVERYONE = 'everyone'

/** The audit log, newest first. */
export function Activity() {
  const [who, setWho] = useState(EVERYONE)
  const people = usePeople().data ?? []
  const lines = useActivity(who === EVERYONE ? undefined : Number(who))
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
        {line => <Line line={line} />}
      </PagedList>
    </>
  )
}

function Line({ line }: { line: ActivityLine }) {
  return (
    <>
      <p className="wrap-anywhere min-w-0 flex-1 basis-64">
        <span className="font-semibold">
          <bdi>{line.actor?.name ?? texts.activity.product}</bdi>
        </span>{' '}
        <bdi>{describeActivity(line)}</bdi>
      </p>
      <time dateTime={line.at} className="text-fine text-ink-soft">
        {formatDateAndTime(line.at)}
      </time>
    </>
  )
}
