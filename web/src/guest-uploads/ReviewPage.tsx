import { Check, Undo2, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { IdInText } from '#contract/common.ts'
import { useCan } from '../kit/me.tsx'
import { usePageTitle } from '../kit/page-title.ts'
import { useAppSettings } from '../kit/settings.ts'
import { Button } from '../ui/Button.tsx'
import { CloseOnBack } from '../ui/CloseOnBack.tsx'
import { Dock } from '../ui/Dock.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { ScrollSentinel } from '../ui/ScrollSentinel.tsx'
import { LargeView } from './LargeView.tsx'
import { type ReviewState, useDecide, useGuestUploads } from './queries.ts'
import { ReviewTile } from './ReviewTile.tsx'
import { texts } from './texts.ts'

/** What guests have sent: a member takes files into the library or not. Viewers have nothing to decide here. */
export function ReviewPage() {
  return useCan('albums.edit') ? <Review /> : <Navigate to="/" replace />
}

function Review() {
  usePageTitle(texts.page)
  const [params, setParams] = useSearchParams()
  const album = IdInText.safeParse(params.get('album')).data
  const state: ReviewState = params.get('state') === 'rejected' ? 'rejected' : 'waiting'
  const { trashDays } = useAppSettings()
  const query = useGuestUploads(album, state)
  const title = query.data?.pages.flat().find(upload => upload.album !== null)?.album?.title
  const subtitle = album === undefined ? texts.subtitle : texts.subtitleOfAlbum

  function choose(chosen: ReviewState) {
    const changed = new URLSearchParams(params)
    if (chosen === 'waiting') changed.delete('state')
    else changed.set('state', chosen)
    setParams(changed, { replace: true })
  }
  return (
    <>
      <PageHeader
        heading={album === undefined || title === undefined ? texts.heading : texts.headingOfAlbum({ album: title })}
        subtitle={state === 'waiting' ? subtitle : texts.rejectedSubtitle({ days: trashDays })}
      />
      <fieldset aria-label={texts.tabsLabel} className="mb-4 flex gap-2">
        {(['waiting', 'rejected'] as const).map(value => (
          <Button
            key={value}
            variant={value === state ? 'soft' : 'quiet'}
            aria-pressed={value === state}
            onClick={() => choose(value)}
          >
            {texts.tabs[value]}
          </Button>
        ))}
      </fieldset>
      {query.data === undefined ? (
        <LoadingOrError query={query} texts={texts} />
      ) : (
        <Uploads key={`${album} ${state}`} query={query} state={state} album={album} />
      )}
    </>
  )
}

interface UploadsProps {
  query: ReturnType<typeof useGuestUploads>
  state: ReviewState
  album: number | undefined
}

function Uploads({ query: { data, hasNextPage, isFetchingNextPage, fetchNextPage }, state, album }: UploadsProps) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  /** What is being decided on disappears at once, and comes back if that fails. */
  const [deciding, setDeciding] = useState<ReadonlySet<number>>(new Set())
  const [enlargedId, setEnlargedId] = useState<number | null>(null)
  const list = useRef<HTMLUListElement>(null)
  /** The place of what was large when that was closed. */
  const closedAt = useRef(-1)
  const { accept, reject, putBack } = useDecide()
  const loaded = data?.pages.flat() ?? []
  const uploads = loaded.filter(({ id }) => !deciding.has(id))
  const chosen = uploads.filter(({ id }) => selected.has(id)).map(({ id }) => id)
  const enlarged = uploads.findIndex(({ id }) => id === enlargedId)

  /** Also those that are not loaded yet. */
  async function selectAll() {
    let pages = data?.pages ?? []
    for (let more = hasNextPage; more; ) {
      const next = await fetchNextPage()
      pages = next.data?.pages ?? []
      more = next.hasNextPage && !next.isError
    }
    setSelected(new Set(pages.flat().map(({ id }) => id)))
  }

  async function decide(ids: readonly number[], { run }: typeof accept | typeof reject | typeof putBack) {
    if (ids.length === 0) return
    const after =
      uploads.slice(enlarged + 1).find(({ id }) => !ids.includes(id)) ?? uploads.find(({ id }) => !ids.includes(id))
    if (enlargedId !== null) setEnlargedId(after?.id ?? null)
    setDeciding(now => new Set([...now, ...ids]))
    setSelected(now => new Set([...now].filter(id => !ids.includes(id))))
    await run({ body: { ids: [...ids] } })
    setDeciding(now => new Set([...now].filter(id => !ids.includes(id))))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tile]')]
    const at = tiles.indexOf(event.target as HTMLElement)
    const focused = at === -1 ? [] : [uploads[at]?.id ?? 0]
    const these = chosen.length > 0 ? chosen : focused
    if ((event.key === 'y' || event.key === 'n') && state === 'waiting') {
      // The focused tile disappears: the keyboard goes on with the next one that stays.
      const stays = (_: HTMLElement, i: number) => !these.includes(uploads[i]?.id ?? 0)
      const next = tiles.findIndex((tile, i) => i >= at && stays(tile, i))
      tiles[next === -1 ? tiles.findLastIndex(stays) : next]?.focus()
      void decide(these, event.key === 'y' ? accept : reject)
    } else if (event.key === 'a') void selectAll()
    else if (event.key === 'Escape') setSelected(new Set())
    else if (at !== -1 && moves[event.key]) tiles[moves[event.key]?.(at, tiles) ?? at]?.focus()
    else return
    event.preventDefault()
  }

  if (uploads.length === 0 && !hasNextPage) return <Nothing state={state} album={album} />
  const all = chosen.length === uploads.length && !hasNextPage
  return (
    <>
      <div className="mb-3 flex items-center justify-between gap-3">
        <p className="text-ink-soft">
          {texts.hint} <span className="pointer-coarse:hidden">{state === 'waiting' && texts.keys}</span>
        </p>
        <Button onClick={() => (all ? setSelected(new Set()) : void selectAll())}>
          {all ? texts.selectNone : texts.selectAll}
        </Button>
      </div>
      <ul
        ref={list}
        aria-label={texts.grid}
        onKeyDown={onKeyDown}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(46%,15rem),1fr))] gap-2 pb-(--bottom-bar)"
      >
        {uploads.map(upload => (
          <ReviewTile
            key={upload.id}
            upload={upload}
            namesAlbum={album === undefined}
            selected={selected.has(upload.id)}
            onToggle={() => setSelected(now => toggled(now, upload.id))}
            onEnlarge={() => setEnlargedId(upload.id)}
          />
        ))}
      </ul>
      {hasNextPage && !isFetchingNextPage && (
        <ScrollSentinel key={loaded.length} margin={1_000} onVisible={() => void fetchNextPage()} />
      )}
      <Dock open={chosen.length > 0} label={texts.bar}>
        <CloseOnBack onBack={() => setSelected(new Set())} />
        <div className="flex w-full flex-wrap items-center gap-2">
          <IconButton label={texts.clear} onClick={() => setSelected(new Set())}>
            <X aria-hidden="true" className="size-5" />
          </IconButton>
          <p role="status" className="mr-auto whitespace-nowrap font-semibold">
            {texts.selected({ count: chosen.length })}
          </p>
          {state === 'rejected' ? (
            <Button
              variant="primary"
              icon={<Undo2 aria-hidden="true" className="size-5" />}
              onClick={() => void decide(chosen, putBack)}
            >
              {texts.putBack}
            </Button>
          ) : (
            <div className="flex flex-wrap gap-2 whitespace-nowrap max-sm:w-full max-sm:*:flex-1">
              <Button variant="dangerQuiet" onClick={() => void decide(chosen, reject)}>
                {chosen.length === 1 ? texts.rejectOne : texts.reject}
              </Button>
              <Button
                variant="primary"
                icon={<Check aria-hidden="true" className="size-5" />}
                onClick={() => void decide(chosen, accept)}
              >
                {texts.accept}
              </Button>
            </div>
          )}
        </div>
      </Dock>
      <LargeView
        upload={uploads[enlarged]}
        namesAlbum={album === undefined}
        onPrevious={enlarged > 0 ? () => setEnlargedId(uploads[enlarged - 1]?.id ?? null) : undefined}
        onNext={enlarged < uploads.length - 1 ? () => setEnlargedId(uploads[enlarged + 1]?.id ?? null) : undefined}
        onAccept={state === 'waiting' ? ({ id }) => void decide([id], accept) : undefined}
        onReject={state === 'waiting' ? ({ id }) => void decide([id], reject) : undefined}
        onClose={() => {
          closedAt.current = enlarged
          setEnlargedId(null)
        }}
        finalFocus={() => list.current?.querySelectorAll<HTMLElement>('[data-tile]')[closedAt.current] ?? true}
      />
    </>
  )
}

/** Where each arrow key leads; up and down find the tile of the next row by its place on the screen. */
const moves: Record<string, (at: number, tiles: readonly HTMLElement[]) => number> = {
  ArrowLeft: at => Math.max(0, at - 1),
  ArrowRight: (at, tiles) => Math.min(tiles.length - 1, at + 1),
  ArrowUp: (at, tiles) => Math.max(0, at - columnsOf(tiles)),
  ArrowDown: (at, tiles) => Math.min(tiles.length - 1, at + columnsOf(tiles)),
}

function columnsOf(tiles: readonly HTMLElement[]): number {
  const top = tiles[0]?.getBoundingClientRect().top
  const second = tiles.findIndex(tile => tile.getBoundingClientRect().top !== top)
  return second === -1 ? tiles.length : second
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const changed = new Set(ids)
  if (!changed.delete(id)) changed.add(id)
  return changed
}

function Nothing({ state, album }: Pick<UploadsProps, 'state' | 'album'>) {
  const { title, text } = texts.empty[state]
  return (
    <EmptyState title={title} text={text}>
      <Link
        to={album === undefined ? '/albums' : `/albums/${album}`}
        className="font-semibold text-accent underline underline-offset-4"
      >
        {album === undefined ? texts.empty.albums : texts.empty.back}
      </Link>
    </EmptyState>
  )
}
