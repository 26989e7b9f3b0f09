import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { albumCommentsByPerson } from '#contract/albums.ts'
import { notesByPerson } from '#contract/notes.ts'
import { call } from '../kit/api.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { endpointKey } from '../kit/queries.ts'
import { MentionText } from '../mentions/MentionText.tsx'
import { usePeople } from '../mentions/people.ts'
import { Button } from '../ui/Button.tsx'
import { LoadFailed } from '../ui/LoadingOrError.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

interface Written {
  id: number
  content: string
  created_at: string
  /** What it is about. */
  name: string
  href: string
}

export function Notes({ personId }: { personId: number }) {
  const notes = useWritten(endpointKey(notesByPerson), personId, async (page, signal) => {
    const some = await call(notesByPerson, { params: { id: personId }, query: page }, signal)
    return some.map(note => ({ ...note, name: note.media_name, href: `/?file=${note.media_id}&note=${note.id}` }))
  })
  return <WrittenList {...texts.notes} written={notes} />
}

/** Takes no room where there are none. */
export function AlbumComments({ personId }: { personId: number }) {
  const comments = useWritten(endpointKey(albumCommentsByPerson), personId, async (page, signal) => {
    const some = await call(albumCommentsByPerson, { params: { id: personId }, query: page }, signal)
    return some.map(one => ({ ...one, name: one.album_title, href: `/albums/${one.album_id}#album-comments` }))
  })
  if (comments.data === undefined || comments.data.pages[0]?.length === 0) return null
  return <WrittenList {...texts.comments} written={comments} />
}

const PAGE = 20

type ReadPage = (page: { limit: number; before: number | undefined }, signal: AbortSignal) => Promise<Written[]>

function useWritten(key: readonly unknown[], personId: number, read: ReadPage) {
  return useInfiniteQuery<Written[], Error, InfiniteData<Written[]>, readonly unknown[], number | undefined>({
    queryKey: [...key, personId],
    queryFn: ({ pageParam: before, signal }) => read({ limit: PAGE, before }, signal),
    initialPageParam: undefined,
    getNextPageParam: last => (last.length < PAGE ? undefined : last.at(-1)?.id),
  })
}

interface ListProps {
  heading: string
  none?: string
  on: string
  written: ReturnType<typeof useWritten>
}

function WrittenList({ heading, none, on, written }: ListProps) {
  const people = usePeople()
  const all = written.data?.pages.flat()
  return (
    <Section heading={heading}>
      {all === undefined && written.error !== null && (
        <LoadFailed error={written.error} retry={() => void written.refetch()} texts={texts.failed} />
      )}
      {all?.length === 0 && <p className="text-ink-soft">{none}</p>}
      <ul className="flex max-w-2xl flex-col divide-y divide-line">
        {all?.map(one => (
          <li key={one.id} className="flex flex-col gap-1 py-3">
            <p>
              <MentionText text={one.content} people={people} />
            </p>
            <p className="wrap-anywhere text-ink-soft text-small">
              {on}{' '}
              <Link to={one.href} className="underline underline-offset-4">
                <bdi>{one.name}</bdi>
              </Link>{' '}
              · <time dateTime={one.created_at}>{formatDateAndTime(one.created_at)}</time>
            </p>
          </li>
        ))}
      </ul>
      {written.hasNextPage && (
        <div>
          <Button busy={written.isFetchingNextPage} onClick={() => void written.fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </Section>
  )
}
