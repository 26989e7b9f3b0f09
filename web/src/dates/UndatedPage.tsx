import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileVideo, Image } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, Navigate } from 'react-router'
import { getMedia, type MediaFileWithMetadata } from '#contract/media.ts'
import { mediaIds } from '#contract/media-list.ts'
import { readDate } from '#contract/read-date.ts'
import { formatDate } from '../kit/format.ts'
import { useCan } from '../kit/me.tsx'
import { usePageTitle } from '../kit/page-title.ts'
import { query } from '../kit/queries.ts'
import { dateReader } from '../media/date-reader.ts'
import { dateInWords } from '../media/date-words.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { useQuietChange } from './change-dates.ts'
import { DateField } from './DateField.tsx'
import { texts } from './texts.ts'

const list = { undated: 'true', sort: 'date', order: 'desc' } as const

/** One undated file after the other, large: type a date, Enter, next. */
export function UndatedPage() {
  usePageTitle(texts.undated.title)
  const mayEdit = useCan('media.edit')
  const [round, setRound] = useState(1)
  const listed = useQuery({
    ...query(mediaIds, { query: list }),
    queryKey: ['undated', 'one by one', String(round)],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (!mayEdit) return <Navigate to="/" replace />
  if (listed.data === undefined) return <LoadingOrError query={listed} texts={texts.undated} />
  return <OneByOne key={round} listed={listed.data.ids} onAgain={() => setRound(round + 1)} />
}

/** The last date that was saved, which can be undone. */
interface Saved {
  id: number
  words: string
  /** Null: it had that date already. */
  changeId: number | null
}

function OneByOne({ listed, onAgain }: { listed: readonly number[]; onAgain: () => void }) {
  // Stay as they are when the list is read again after a lost connection: files that get a date here keep their position.
  const [ids] = useState(listed)
  const [at, setAt] = useState(0)
  const [dated, setDated] = useState<ReadonlySet<number>>(new Set())
  const [saved, setSaved] = useState<Saved | null>(null)
  // Stays for the next one: scans of one album are often of the same time.
  const [typed, setTyped] = useState('')
  const id = ids[at]
  if (id === undefined) {
    return <End dated={dated.size} skipped={ids.length - dated.size} onAgain={onAgain} />
  }
  return (
    <UndatedFile
      id={id}
      next={ids[at + 1]}
      left={ids.length - at}
      typed={typed}
      onType={setTyped}
      saved={saved}
      onDated={done => {
        setDated(now => new Set(now).add(id))
        setSaved(done)
        setAt(at + 1)
      }}
      onUndone={undone => {
        setDated(now => new Set([...now].filter(one => one !== undone)))
        setSaved(null)
        setAt(Math.max(0, ids.indexOf(undone)))
      }}
      onSkip={() => setAt(at + 1)}
      onBack={at === 0 ? undefined : () => setAt(at - 1)}
    />
  )
}

function End({ dated, skipped, onAgain }: { dated: number; skipped: number; onAgain: () => void }) {
  const { none, end } = texts.undated
  const sentences = [dated > 0 && end.done({ count: dated }), skipped > 0 && end.skipped({ count: skipped })]
  const text = sentences.filter(Boolean).join(' ') || none.text
  return (
    <EmptyState headingLevel="h1" title={skipped === 0 ? none.title : end.title} text={text}>
      {skipped > 0 && (
        <Button variant="primary" onClick={onAgain}>
          {end.again}
        </Button>
      )}
      <Link to="/" className="self-center font-semibold text-accent underline underline-offset-4">
        {none.back}
      </Link>
    </EmptyState>
  )
}

interface UndatedFileProps {
  id: number
  next: number | undefined
  left: number
  typed: string
  onType: (typed: string) => void
  saved: Saved | null
  onDated: (saved: Saved) => void
  onUndone: (id: number) => void
  onSkip: () => void
  onBack: (() => void) | undefined
}

function UndatedFile({ id, next, left, typed, onType, saved, onDated, onUndone, onSkip, onBack }: UndatedFileProps) {
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const file = useQuery(query(getMedia, { params: { id } }))
  const { change, undo } = useQuietChange()
  // The file whose picture is shown, and the one that the text was last changed for.
  const [shownId, setShownId] = useState<number | null>(null)
  const [changedId, setChangedId] = useState<number | null>(null)
  const isChanged = changedId === id
  const edtf = readDate(typed, dateReader)
  const select = useEffectEvent((_: number) => field.current?.select())
  useEffect(() => {
    select(id)
    if (next !== undefined) void client.prefetchQuery(query(getMedia, { params: { id: next } }))
  }, [id, next, client])

  async function save(event: FormEvent) {
    event.preventDefault()
    if (edtf === undefined || change.busy) return
    const words = dateInWords(edtf, 'time')
    const whenDone = ({ change_id }: { change_id: number | null }) => onDated({ id, words, changeId: change_id })
    await change.run({ body: { fileIds: [id], change: { kind: 'set', edtf } } }, { whenDone })
  }
  async function takeBack({ id: undone, changeId }: Saved) {
    if (changeId === null || (await undo.run({ params: { id: changeId } }))) onUndone(undone)
  }
  function onKeyDown(event: KeyboardEvent) {
    // A key held down or pressed twice must not date a file that nobody has looked at.
    const isReady = event.target !== field.current || (shownId === id && isChanged)
    if (event.key === 'Enter' && (event.repeat || !isReady)) event.preventDefault()
    const move = { PageDown: onSkip, PageUp: onBack }[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }
  return (
    <div className="flex flex-col gap-3 rail:flex-row lg:flex-row lg:gap-6">
      <Picture file={file.data} onShown={setShownId} />
      <form
        onSubmit={event => void save(event)}
        onKeyDown={onKeyDown}
        className="flex flex-col gap-3 rail:w-1/2 lg:w-96"
      >
        <h1 className="font-semibold text-lead leading-tight">
          {texts.undated.title}{' '}
          <span className="font-normal text-ink-soft text-small">{texts.undated.left({ count: left })}</span>
        </h1>
        <DateField
          ref={field}
          value={typed}
          onChange={text => {
            setChangedId(id)
            onType(text)
          }}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            variant="primary"
            busy={change.busy}
            disabled={edtf === undefined}
            // The second click of a double click is for the next file, which nobody has looked at.
            onClick={event => event.detail > 1 && event.preventDefault()}
          >
            {texts.undated.next}
          </Button>
          <Button onClick={onSkip} aria-keyshortcuts="PageDown">
            {texts.undated.skip}
          </Button>
          {onBack !== undefined && (
            <Button onClick={onBack} aria-keyshortcuts="PageUp">
              {texts.undated.back}
            </Button>
          )}
        </div>
        <div role="status" className="text-small">
          {saved !== null && (
            <p>
              {texts.undated.saved({ date: saved.words })} {!isChanged && edtf !== undefined && texts.undated.again}{' '}
              <button
                type="button"
                disabled={undo.busy}
                onClick={() => void takeBack(saved)}
                className="min-h-touch font-semibold text-accent underline underline-offset-4"
              >
                {texts.undated.undo}
              </button>
            </p>
          )}
        </div>
        {file.data !== undefined && <Facts file={file.data} />}
        {file.error !== null && <p className="text-small text-warn">{file.error.message}</p>}
      </form>
    </div>
  )
}

function Picture({ file, onShown }: { file: MediaFileWithMetadata | undefined; onShown: (id: number) => void }) {
  const source = file?.variant_urls?.desktop ?? file?.thumbnail_url ?? undefined
  // A preview that is not made yet.
  const Missing = file?.file_type === 'video' ? FileVideo : Image
  const missing = source === undefined ? file?.id : undefined
  const shown = useEffectEvent(onShown)
  useEffect(() => {
    if (missing !== undefined) shown(missing)
  }, [missing])
  return (
    <div className="grid h-[42svh] place-items-center rounded-card bg-sunken rail:h-[80svh] rail:w-1/2 lg:h-[75svh] lg:flex-1">
      {source === undefined ? (
        <Missing aria-hidden="true" className="size-12 text-ink-soft" />
      ) : (
        <img
          src={source}
          alt={file?.original_name ?? ''}
          onLoad={() => file && onShown(file.id)}
          onError={() => file && onShown(file.id)}
          className="size-full min-h-0 rounded-card object-contain"
        />
      )}
    </div>
  )
}

/** What may help to find out. */
function Facts({ file }: { file: MediaFileWithMetadata }) {
  const { original_name, uploaded_by, uploaded_at, doubtful_taken_at, location, edtf } = file
  return (
    <ul className="flex flex-col gap-1 text-ink-soft text-small">
      <li className="wrap-anywhere">
        <bdi>{original_name}</bdi>
      </li>
      {location !== null && <li>{location}</li>}
      {uploaded_by !== null && (
        <li>{texts.undated.uploaded({ name: uploaded_by.name, date: formatDate(uploaded_at) })}</li>
      )}
      {doubtful_taken_at !== null && (
        <li>{texts.undated.doubtful({ date: dateInWords(doubtful_taken_at, 'time') })}</li>
      )}
      {edtf !== null && <li>{dateInWords(edtf, 'time')}</li>}
    </ul>
  )
}
