import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Image, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { listSentFiles, type SentFile, sentPicturePath } from '#contract/guest-uploads.ts'
import { requestUrl } from '#contract/request-url.ts'
import { call } from '../kit/api.ts'
import { incompleteText } from '../media/incomplete-text.ts'
import { Button } from '../ui/Button.tsx'
import { Preview } from './dialog/Preview.tsx'
import { guestTexts as texts } from './guest-texts.ts'
import type { UploadItem } from './upload-items.ts'

const PAGE = 200
const POLL = 4_000
/** A picture that is not made by then will not be. */
const POLL_FOR = 120_000

function sentKey(linkId: number) {
  return ['sent files', linkId]
}

interface Props {
  linkId: number
  /** How many have been sent since the page was opened: the list is read again for each. */
  refreshedBy: number
  /** What this page has sent itself: shown until the server has made their pictures. */
  here: readonly UploadItem[]
}

export function SentFiles({ linkId, refreshedBy, here }: Props) {
  useRefreshAfter(linkId, refreshedBy)
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: sentKey(linkId),
    queryFn: ({ pageParam, signal }) =>
      call(listSentFiles, { params: { id: linkId }, query: { limit: PAGE, before: pageParam } }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: last => (last.length < PAGE ? undefined : last.at(-1)?.id),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.some(file => !file.picture && Date.now() - Date.parse(file.sent_at) < POLL_FOR)
        ? POLL
        : false,
    meta: { public: true },
  })
  const files = data?.pages.flat() ?? []
  if (files.length === 0) return null
  return (
    <section aria-labelledby="sent-files" className="flex flex-col gap-3">
      <h2 id="sent-files" className="font-semibold text-lead">
        {(hasNextPage ? texts.sent.headingOfMore : texts.sent.heading)({ count: files.length })}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(30%,8rem),1fr))] gap-1">
        {files.map(file => (
          <SentTile key={file.id} linkId={linkId} file={file} here={localItemOf(file, here)} />
        ))}
      </ul>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{texts.sent.more}</Button>}
    </section>
  )
}

function localItemOf({ name, size }: SentFile, here: readonly UploadItem[]): UploadItem | undefined {
  return here.find(item => item.status === 'success' && item.name === name && item.file.size === size)
}

function SentTile({ linkId, file, here }: { linkId: number; file: SentFile; here: UploadItem | undefined }) {
  return (
    <li className="relative aspect-square overflow-hidden rounded-[4px] bg-sunken" title={file.name}>
      {file.picture ? (
        <img
          src={requestUrl(sentPicturePath, { id: linkId, upload: file.id }, {})}
          alt={file.name}
          loading="lazy"
          className="size-full object-cover"
        />
      ) : here !== undefined ? (
        <>
          <Preview fills file={here.file} thumbnail={here.thumbnail} />
          <span className="sr-only">{file.name}</span>
        </>
      ) : (
        <span className="grid size-full place-items-center gap-1 p-2 text-center text-fine text-ink-soft">
          <Image aria-hidden="true" className="size-6" />
          <bdi className="line-clamp-2 break-all">{file.name}</bdi>
        </span>
      )}
      {file.incomplete === null ? (
        <CircleCheck aria-hidden="true" className="photo-text absolute right-1 bottom-1 size-5 rounded-full" />
      ) : (
        <span className="photo-text absolute right-1 bottom-1 rounded-full px-1.5 py-0.5">
          <TriangleAlert aria-label={incompleteText(file.size, file.incomplete)} className="size-4" />
        </span>
      )}
    </li>
  )
}

function useRefreshAfter(linkId: number, sent: number): void {
  const client = useQueryClient()
  useEffect(() => {
    if (sent > 0) void client.invalidateQueries({ queryKey: sentKey(linkId) })
  }, [client, linkId, sent])
}
