import { useQuery } from '@tanstack/react-query'
import { Image } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { hiddenMemories, showMemory, showMemoryDay } from '#contract/memories.ts'
import { useAction } from '../kit/action.ts'
import type { Change } from '../kit/changes.ts'
import { query } from '../kit/queries.ts'
import { Button } from '../ui/Button.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { formatFullDay } from './dates.ts'
import { texts } from './texts.ts'

const changes: Change[] = [{ kind: 'memories' }]
const options = { success: texts.hidden.shown, failure: texts.hidden.failed, changes }

/** For My settings: what the person has hidden, each with a way back. Takes no room where there is nothing. */
export function HiddenMemories() {
  const heading = useId()
  const { data } = useQuery(query(hiddenMemories, {}))
  const showDay = useAction(showMemoryDay, options)
  const showFile = useAction(showMemory, options)
  const keepFocus = useKeepFocus<HTMLUListElement>()
  const isEmpty = data === undefined || data.days.length + data.files.length === 0
  // Stays after the last one is shown again, because its button had the focus.
  const [wasFilled, setWasFilled] = useState(false)
  if (!isEmpty && !wasFilled) setWasFilled(true)
  if (data === undefined || (isEmpty && !wasFilled)) return null
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-4">
      <h2 id={heading} className="border-line border-b pb-2 font-semibold text-lead">
        {texts.hidden.heading}
      </h2>
      <p className="text-ink-soft">{isEmpty ? texts.hidden.none : texts.hidden.text}</p>
      <ul {...keepFocus} className="flex flex-col gap-2 focus-visible:outline-none">
        {data.days.map(date => (
          <Hidden key={date} name={formatFullDay(date)} onShow={() => void showDay.run({ params: { date } })} />
        ))}
        {data.files.map(({ id, original_name, thumbnail_url }) => (
          <Hidden
            key={id}
            name={original_name}
            picture={
              thumbnail_url === null ? (
                <Image aria-hidden="true" className="size-6" />
              ) : (
                <img src={thumbnail_url} alt="" loading="lazy" className="size-full object-cover" />
              )
            }
            onShow={() => void showFile.run({ params: { id } })}
          />
        ))}
      </ul>
    </section>
  )
}

function Hidden({ name, picture, onShow }: { name: string; picture?: ReactNode; onShow: () => void }) {
  return (
    <li className="flex items-center gap-3">
      {picture !== undefined && (
        <span className="grid size-11 shrink-0 place-items-center overflow-hidden rounded-photo bg-sunken text-ink-soft">
          {picture}
        </span>
      )}
      <bdi className="wrap-anywhere min-w-0 flex-1">{name}</bdi>
      <Button aria-label={texts.hidden.showOf({ name })} onClick={onShow}>
        {texts.hidden.show}
      </Button>
    </li>
  )
}
