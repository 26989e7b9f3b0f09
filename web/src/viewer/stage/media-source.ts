import { useEffect, useEffectEvent, useState } from 'react'
import { type MediaFile, mediaFilePath } from '#contract/media.ts'
import { fetchBlob } from '../../kit/api.ts'
import { onReachable } from '../../kit/reachability.ts'

/** The signed URL, then a refreshed one, then the file fetched with the session, then none. */
type SourceState = 'signed' | 'refreshing' | 'refreshed' | 'fetching' | 'fetched' | 'none'

interface Source {
  id: number
  /** Undefined if the server sent none. */
  url: string | undefined
  refresh: () => Promise<MediaFile | undefined>
  /** Only the original can be fetched with the session; for other versions there is no fallback. */
  signedOnly?: boolean
}

/**
 * Retries a file whose URL is missing or fails. The signature may have expired while the page was open, so the URL is
 * refreshed first; then the file is fetched with the session. One instance per file.
 */
export function useMediaSource({ id, url, refresh, signedOnly = false }: Source) {
  const [state, setState] = useState<SourceState>('signed')
  const [blobUrl, setBlobUrl] = useState<string>()
  useEffect(() => () => (blobUrl === undefined ? undefined : URL.revokeObjectURL(blobUrl)), [blobUrl])

  async function refreshUrl() {
    setState('refreshing')
    const fresh = await refresh()
    if (fresh === undefined) await fetchWithSession()
    else setState('refreshed')
  }

  async function fetchWithSession() {
    if (signedOnly) return setState('none')
    setState('fetching')
    try {
      setBlobUrl(URL.createObjectURL(await fetchBlob(mediaFilePath, { id })))
      setState('fetched')
    } catch {
      // No source is left; `failed` reports it.
      setState('none')
    }
  }

  // What failed while the server could not be reached is loaded again.
  useEffect(() => onReachable(() => setState(now => (now === 'none' ? 'signed' : now))), [])

  // Without a URL, no element reports an error.
  const nothingToLoad = url === undefined && (state === 'signed' || state === 'refreshed')
  const loadWithoutUrl = useEffectEvent(() => void (state === 'signed' ? refreshUrl() : fetchWithSession()))
  useEffect(() => {
    if (nothingToLoad) loadWithoutUrl()
  }, [nothingToLoad])

  function onError() {
    if (state === 'signed') void refreshUrl()
    else if (state === 'refreshed') void fetchWithSession()
    else if (state === 'fetched') setState('none')
  }
  return {
    /** Replaces the URL if defined. */
    blobUrl: state === 'fetched' ? blobUrl : undefined,
    failed: state === 'none',
    /** Used as a key: a retry must reload the element even if its URL is the same. */
    attempt: state === 'signed' || state === 'refreshing' ? 0 : 1,
    onError,
  }
}
