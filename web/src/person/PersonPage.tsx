import { useQuery } from '@tanstack/react-query'
import { Image, Play } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { IdInText } from '#contract/common.ts'
import type { MediaFile } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { getPerson } from '#contract/people.ts'
import { ApiError } from '../kit/api.ts'
import { useMe } from '../kit/me.tsx'
import { usePageTitle } from '../kit/page-title.ts'
import { query } from '../kit/queries.ts'
import { formatDuration } from '../media/format.ts'
import { backgroundColour } from '../media/thumbhash.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LoadFailed, LoadingOrError } from '../ui/LoadingOrError.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'
import { AlbumComments, Notes } from './Written.tsx'

const link = 'font-semibold text-accent underline underline-offset-4'

/** What a person has added, loves and wrote. */
export function PersonPage() {
  // Anything but an id is nobody: the server would refuse the request.
  const id = IdInText.safeParse(useParams().id).data
  return id === undefined ? <Nobody /> : <PersonWithId key={id} id={id} />
}

function PersonWithId({ id }: { id: number }) {
  const me = useMe()
  const found = useQuery(query(getPerson, { params: { id } }))
  const { data: person, error } = found
  usePageTitle(person?.name ?? texts.loading)
  if (error instanceof ApiError && error.status === 404) return <Nobody />
  if (person === undefined) return <LoadingOrError query={found} texts={texts} />
  return (
    <>
      <header className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 sm:mb-8">
        <Avatar name={person.name} src={person.avatar_url} size="large" />
        <div className="min-w-0 flex-1 basis-48">
          <h1 className="wrap-anywhere font-semibold text-heading sm:text-title">
            <bdi>{person.name}</bdi>
          </h1>
          <p className="wrap-anywhere text-ink-soft">
            @{person.username}
            {person.email && ` · ${person.email}`}
            {person.former && ` · ${texts.former}`}
          </p>
        </div>
        {me?.id === id && (
          <Link to="/settings" className={`${link} inline-flex min-h-touch items-center`}>
            {texts.settings}
          </Link>
        )}
      </header>
      <div className="flex flex-col gap-10">
        <Photos filter="uploader" personId={id} texts={texts.uploads} />
        <Photos filter="hearted_by" personId={id} texts={texts.hearts} />
        <Notes personId={id} />
        <AlbumComments personId={id} />
      </div>
    </>
  )
}

function Nobody() {
  usePageTitle(texts.unknown.title)
  return (
    <EmptyState headingLevel="h1" title={texts.unknown.title} text={texts.unknown.text}>
      <Link to="/" className={link}>
        {texts.unknown.back}
      </Link>
    </EmptyState>
  )
}

const SHOWN = 12

interface PhotosProps {
  filter: 'uploader' | 'hearted_by'
  personId: number
  texts: { heading: string; none: string }
}

/** The newest ones; the gallery shows all of them. */
function Photos({ filter, personId, texts: words }: PhotosProps) {
  const { data, error, refetch } = useQuery(query(listMedia, { query: { [filter]: personId, limit: SHOWN } }))
  if (data === undefined) {
    return (
      <Section heading={words.heading}>
        {error === null ? (
          <div className="grid min-h-38 place-items-center">
            <Spinner label={texts.loading} />
          </div>
        ) : (
          <LoadFailed error={error} retry={() => void refetch()} texts={texts.failed} />
        )}
      </Section>
    )
  }
  return (
    <Section heading={words.heading} count={data.count}>
      {data.count === 0 && <p className="text-ink-soft">{words.none}</p>}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(30%,9.5rem),1fr))] gap-1">
        {data.files.map(file => (
          <li key={file.id} className="aspect-square">
            <Link
              to={`/?${filter}=${personId}&file=${file.id}`}
              aria-label={file.original_name}
              style={file.thumbhash === null ? undefined : { backgroundColor: backgroundColour(file.thumbhash) }}
              className="relative grid size-full place-items-center overflow-hidden rounded-photo bg-sunken text-ink-soft"
            >
              <Picture file={file} />
            </Link>
          </li>
        ))}
      </ul>
      {data.count > SHOWN && (
        <Link to={`/?${filter}=${personId}`} className={`${link} inline-flex min-h-touch w-fit items-center`}>
          {texts.all({ count: data.count })}
        </Link>
      )}
    </Section>
  )
}

function Picture({ file }: { file: MediaFile }) {
  return (
    <>
      {file.thumbnail_url === null ? (
        <Image aria-hidden="true" className="size-8" />
      ) : (
        <img src={file.thumbnail_url} alt="" loading="lazy" className="size-full object-cover" />
      )}
      {file.file_type === 'video' && (
        <span className="photo-text absolute right-1 bottom-1 flex items-center gap-1 rounded-full px-2 py-0.5 text-fine">
          <Play aria-hidden="true" className="size-3" />
          {file.duration !== null && formatDuration(file.duration)}
        </span>
      )}
    </>
  )
}
