import { Inbox } from 'lucide-react'
import { Link } from 'react-router'
import { useWaiting } from './queries.ts'
import { texts } from './texts.ts'

/** More would fill the screen of a phone. */
const MOST_ALBUMS = 3

/** How many files of guests wait for an album, or for all and for deleted ones, for those who may review them. */
export function WaitingNotice({ albumId }: { albumId?: number }) {
  const waiting = useWaiting(albumId)
  if (waiting.length === 0) return null
  const total = waiting.reduce((sum, one) => sum + one.waiting, 0)
  return (
    <p className="my-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border border-accent bg-accent-wash px-4 py-2">
      <Inbox aria-hidden="true" className="size-5 shrink-0 text-accent-strong" />
      {texts.waiting({ count: total })}
      <ReviewLink albumId={albumId}>{waiting.length > 1 ? texts.reviewAll : texts.review}</ReviewLink>
      {waiting.length > 1 &&
        waiting.length <= MOST_ALBUMS &&
        waiting.map(
          ({ album, waiting: count }) =>
            album !== null && (
              <ReviewLink key={album.id} albumId={album.id}>
                {texts.reviewOf({ album: album.title, count })}
              </ReviewLink>
            ),
        )}
    </p>
  )
}

function ReviewLink({ albumId, children }: { albumId: number | undefined; children: string }) {
  return (
    <Link
      to={albumId === undefined ? '/guest-uploads' : `/guest-uploads?album=${albumId}`}
      className="wrap-anywhere inline-flex min-h-touch items-center font-semibold text-accent-strong underline underline-offset-4"
    >
      <bdi>{children}</bdi>
    </Link>
  )
}
