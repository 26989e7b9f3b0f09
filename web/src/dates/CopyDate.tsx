import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { listMedia } from '#contract/media-list.ts'
import { query } from '../kit/queries.ts'
import { dateInWords } from '../media/date-words.ts'
import { TextField } from '../ui/TextField.tsx'
import { texts } from './texts.ts'

interface Props {
  chosen: number | null
  /** The files that get the date; a single one is not offered. */
  except: readonly number[]
  onChoose: (id: number) => void
}

const OFFERED = 12

/** Chooses the file whose date is copied. */
export function CopyDate({ chosen, except, onChoose }: Props) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const filter = { sort: 'date', order: 'desc', limit: OFFERED, ...(search === '' ? {} : { search }) } as const
  const { data, isError } = useQuery({
    ...query(listMedia, { query: filter }),
    placeholderData: keepPreviousData,
  })
  const offered = data?.files.filter(({ id, edtf }) => edtf !== null && !(except.length === 1 && except[0] === id))
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={texts.copy.label}
        placeholder={texts.copy.placeholder}
        maxLength={200}
        value={typed}
        onChange={setTyped}
      />
      <ul aria-label={texts.copy.label} className="flex max-h-56 min-h-32 flex-col gap-1 overflow-y-auto">
        {offered?.map(file => (
          <li key={file.id}>
            <button
              type="button"
              aria-pressed={file.id === chosen}
              onClick={() => onChoose(file.id)}
              className="flex w-full items-center gap-3 rounded-control p-1 text-left hover:bg-sunken aria-pressed:bg-accent-wash"
            >
              <img
                src={file.thumbnail_url ?? undefined}
                alt=""
                loading="lazy"
                className="size-12 shrink-0 rounded-control bg-sunken object-cover"
              />
              <span className="min-w-0">
                <bdi className="block truncate text-small">{file.original_name}</bdi>
                <span className="block text-fine text-ink-soft">{dateInWords(file.taken_at ?? file.edtf, 'time')}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isError && <p className="text-small">{texts.copy.failed}</p>}
      {offered?.length === 0 && <p className="text-ink-soft text-small">{texts.copy.none}</p>}
    </div>
  )
}
