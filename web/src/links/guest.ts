import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { groupText, listedDate, parseEdtf, undated } from '#contract/edtf.ts'
import type { GridFile } from '#contract/grid.ts'
import { DAY, idsInQuery } from '#contract/limits.ts'
import {
  type GuestFile,
  openShared,
  type SharedLink,
  type SharedSize,
  sharedFilePath,
  sharedFiles,
  sharedZipPath,
} from '#contract/links.ts'
import type { MediaFile } from '#contract/media.ts'
import { requestUrl } from '#contract/request-url.ts'
import { ApiError, call } from '../kit/api.ts'
import { dateFormat } from '../kit/format.ts'
import { dateInWords } from '../media/date-words.ts'
import { texts } from './texts.ts'

/** The id and the secret of a link, from the address of the page. */
export interface LinkAddress {
  id: number
  token: string
}

/** As in "#12.secret"; undefined if a part is missing. */
export function readLinkAddress(hash: string): LinkAddress | undefined {
  const [, id, token] = /^#(\d{1,15})\.([\w-]{20,100})$/.exec(hash) ?? []
  return id === undefined || token === undefined ? undefined : { id: Number(id), token }
}

/** `opened.data.link` is null while the link needs its password; `last` is the link as it was opened last. */
export function useSharedLink({ id, token }: LinkAddress) {
  const client = useQueryClient()
  const opened = useQuery(openQuery({ id, token }))
  const [last, setLast] = useState<SharedLink | null>(null)
  const link = opened.data?.link ?? last
  if (link !== last) setLast(link)
  const [wrong, setWrong] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function unlock(password: string) {
    setBusy(true)
    try {
      const answer = await call(openShared, { params: { id }, body: { token, password } })
      client.setQueryData(openQuery({ id, token }).queryKey, answer)
      setWrong(null)
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  // Browsers that keep no cookies are refused again at once.
  const reopenedAt = useRef(Number.NEGATIVE_INFINITY)
  /** False: it was opened again a moment ago. */
  const reopen = useCallback(() => {
    if (performance.now() - reopenedAt.current < REOPEN_AGAIN_AFTER) return false
    reopenedAt.current = performance.now()
    void client.resetQueries({ queryKey: openQuery({ id, token }).queryKey })
    return true
  }, [client, id, token])
  return { opened, last: link, unlock, wrong, busy, reopen }
}

const REOPEN_AGAIN_AFTER = 60_000

function openQuery({ id, token }: LinkAddress) {
  return queryOptions({
    queryKey: ['shared link', id, token],
    queryFn: ({ signal }) => call(openShared, { params: { id }, body: { token } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status === 404),
    meta: { public: true },
  })
}

const PAGE = 1_000
/** While videos are being copied. Less often each time: some may never be ready. */
const POLL = 5_000
const LONGEST_POLL = 300_000

interface SharedContents {
  link: SharedLink
  files: GuestFile[]
}

/** All files of an open link, read page by page, and then those again whose pictures or videos were missing. */
export function useSharedFiles(id: number) {
  const client = useQueryClient()
  return useQuery({
    queryKey: ['shared files', id],
    queryFn: ({ signal }) => {
      const known = client.getQueryData<SharedContents>(['shared files', id])
      return known === undefined ? fetchAll(id, signal) : fetchMissing(id, known, signal)
    },
    refetchInterval: ({ state }) =>
      state.data?.files.some(isPreparing) ? Math.min(POLL * 1.5 ** state.dataUpdateCount, LONGEST_POLL) : false,
    meta: { public: true },
  })
}

async function fetchAll(id: number, signal: AbortSignal): Promise<SharedContents> {
  const files: GuestFile[] = []
  for (;;) {
    const page = await call(sharedFiles, { params: { id }, query: { offset: files.length, limit: PAGE } }, signal)
    files.push(...page.files)
    if (page.files.length < PAGE) return { link: page.link, files }
  }
}

async function fetchMissing(id: number, { link, files }: SharedContents, signal: AbortSignal): Promise<SharedContents> {
  const missing = files.filter(isPreparing).map(file => file.id)
  // Asked for another reason: a picture failed, or the connection is back.
  if (missing.length === 0) return fetchAll(id, signal)
  const found = new Map<number, GuestFile>()
  let current = link
  for (let at = 0; at < missing.length; at += idsInQuery) {
    const ids = missing.slice(at, at + idsInQuery).join()
    const answer = await call(sharedFiles, { params: { id }, query: { ids, limit: idsInQuery } }, signal)
    current = answer.link
    for (const file of answer.files) found.set(file.id, file)
  }
  if (current.file_count !== link.file_count) return fetchAll(id, signal)
  // One that is missing from the answer is not shown by the link any more.
  const asked = new Set(missing)
  return { link: current, files: files.flatMap(file => (asked.has(file.id) ? (found.get(file.id) ?? []) : file)) }
}

export function isPreparing({ file_type, pictures, video }: GuestFile): boolean {
  return !pictures || (file_type === 'video' && !video)
}

function urlOf(linkId: number, file: number, size: SharedSize): string {
  return requestUrl(sharedFilePath, { id: linkId, file, size }, {})
}

/** In the best quality that the link gives. */
export function downloadUrl({ id, originals }: SharedLink, file: GuestFile): string {
  const size = originals ? 'original' : file.file_type === 'video' ? 'video' : 'desktop'
  return `${urlOf(id, file.id, size)}?download=true`
}

export function zipUrl({ id }: SharedLink, originals: boolean): string {
  return requestUrl(sharedZipPath, { id }, originals ? { originals } : {})
}

/** Guests do not know the name of a file: tiles and the viewer show the time beside the day, or what is known of it. */
function nameOf({ date }: GuestFile): string {
  if (date === null || !date.includes('T')) return dateInWords(date)
  return dateFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`${date.slice(0, 19)}Z`))
}

/** Its caption, else as in "Photo, June 14, 2026". */
export function alternativeOf({ caption, date, file_type }: GuestFile): string {
  if (caption !== null) return caption
  const day = date?.includes('T')
    ? dateFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date.slice(0, 19)}Z`))
    : dateInWords(date)
  return texts.guest.alternatives[file_type]({ date: day })
}

/** The day or heading that a date is listed under, as in a timeline. */
function headingOf(edtf: string | null): string {
  const date = edtf === null ? undefined : parseEdtf(edtf)
  return groupText(date ? listedDate(date, 0) : undated(0), toDayText)
}

function toDayText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

/** As tiles show it. What guests do not know is empty. */
export function gridFileOf(linkId: number, file: GuestFile): GridFile {
  const { id, file_type, width, height, thumbhash, duration, pictures } = file
  return {
    id,
    file_type,
    thumbhash,
    duration: duration ?? undefined,
    caption: file.caption ?? undefined,
    original_name: nameOf(file),
    file_size: 0,
    day: headingOf(file.date),
    edtf: file.date === null || file.date.includes('T') ? undefined : file.date,
    ratio: width && height ? width / height : 1,
    thumbnail_url: pictures ? urlOf(linkId, id, 'thumbnail') : null,
    mobile_url: pictures ? urlOf(linkId, id, 'mobile') : null,
    status: pictures ? 'ready' : 'processing',
    hearts: 0,
    hearted: false,
  }
}

/** As the viewer shows it. */
export function mediaFileOf(link: SharedLink, file: GuestFile): MediaFile {
  const { id, file_type, width, height, thumbhash, duration, date, pictures } = file
  const isVideo = file_type === 'video'
  const url = (size: SharedSize) => urlOf(link.id, id, size)
  return {
    id,
    file_type,
    width,
    height,
    thumbhash,
    duration,
    date: null,
    edtf: date,
    original_name: nameOf(file),
    mime_type: isVideo ? 'video/mp4' : 'image/jpeg',
    file_size: 0,
    uploaded_at: new Date(0).toISOString(),
    uploaded_by: null,
    sent_by: null,
    folder_id: null,
    rotation: null,
    url: isVideo && file.video ? url('video') : null,
    download_url: downloadUrl(link, file),
    thumbnail_url: pictures ? url('thumbnail') : null,
    variant_urls: pictures
      ? { thumbnail: url('thumbnail'), mobile: url('mobile'), website: url('website'), desktop: url('desktop') }
      : null,
    motion_url: null,
    animated: false,
    first_frame_only: false,
    partly_damaged: false,
    incomplete: null,
    missing: false,
    playback_type: null,
    compatible: null,
    taken_at: date?.includes('T') ? date : null,
    latitude: null,
    longitude: null,
    location: null,
    camera: null,
    caption: file.caption,
    status: isPreparing(file) ? 'processing' : 'ready',
    progress: null,
    failure_reason: null,
    hash: '',
  }
}
