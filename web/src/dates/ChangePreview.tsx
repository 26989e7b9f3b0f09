import { useQuery } from '@tanstack/react-query'
import { type DateChange, previewDates } from '#contract/dates.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '../kit/api.ts'
import { dateInWords } from '../media/date-words.ts'
import { useDebounced } from '../ui/hooks.ts'
import { texts } from './texts.ts'

/** What a change would do, worked out by the server as it will do it. */
export function usePreview(fileIds: readonly number[], change: DateChange | undefined) {
  const wanted = useDebounced(JSON.stringify(change ?? null))
  const settled: DateChange | null = JSON.parse(wanted)
  const { data } = useQuery({
    // Not by all ids, which may be thousands: the files of a dialog stay the same.
    queryKey: ['preview of dates', fileIds[0], fileIds.length, wanted],
    queryFn: ({ signal }) =>
      settled === null ? null : call(previewDates, { body: { fileIds: [...fileIds], change: settled } }, signal),
    gcTime: 0,
  })
  const isCurrent = wanted === JSON.stringify(change ?? null)
  return isCurrent ? (data ?? undefined) : undefined
}

interface Props {
  /** Undefined while it is not known, or nothing is chosen. */
  preview: Answer<typeof previewDates> | undefined
  count: number
}

/** The date of the first file before and after, and how many files change. As high as it can become. */
export function ChangePreview({ preview, count }: Props) {
  return (
    <div role="status" className="min-h-[6em] text-small">
      {preview !== undefined && <Change preview={preview} count={count} />}
    </div>
  )
}

function Change({
  preview: { first, changed, skipped },
  count,
}: {
  preview: Answer<typeof previewDates>
  count: number
}) {
  const words = texts.preview
  if (first === null) {
    const why = count === 1 ? words.notExactAlone : words.notExact({ count: skipped })
    return <p className="text-ink-soft">{skipped > 0 ? why : words.nothing}</p>
  }
  return (
    <>
      {count > 1 && (
        <p className="truncate text-fine text-ink-soft">
          {words.first} <bdi>{first.name}</bdi>
        </p>
      )}
      <p>
        <span className="text-ink-soft">{dateInWords(first.before, 'time')}</span>
        <br />
        <span aria-hidden="true">→ </span>
        <span className="sr-only">{words.becomes} </span>
        <strong className="font-semibold">{dateInWords(first.after, 'time')}</strong>
      </p>
      {count > 1 && (
        <p className="text-ink-soft">
          {words.changed({ count: changed })} {skipped > 0 && words.notExact({ count: skipped })}
        </p>
      )}
    </>
  )
}
