import { useEffect, useEffectEvent, useState } from 'react'
import { type MediaFile, mediaFilePath } from '#contract/media.ts'
import { fetchBlob } from '../../kit/api.ts'

/** Where a file is shown from: its signed address, the same signed anew, its bytes fetched with the session; then nowhere. */
type Stage = 'signed' | 'refreshing' | 'refreshed' | 'fetching' | 'fetched' | 'none'

interface Source {
  id: number
  /** Missing where the server gave none. */
  address: string | undefined
  refresh: () => Promise<MediaFile | undefined>
  /** The session opens the file as it is; where that is not what is wanted, its signed address is the only way. */
  signedOnly?: boolean
}

/**
 * Another way to a file whose address has failed or is missing: it may have expired while the page stayed open, so the
 * file is asked for once more; then its bytes are fetched with the session. One instance per file.
 */
export function useFallback({ id, address, refresh, signedOnly = false }: Source) {
  const [stage, setStage] = useState<Stage>('signed')
  const [bytes, setBytes] = useState<string>()
  useEffect(() => () => (bytes === undefined ? undefined : URL.revokeObjectURL(bytes)), [bytes])

  async function signAnew() {
    setStage('refreshing')
    const fresh = await refresh()
    if (fresh === undefined) await fetchBytes()
    else setStage('refreshed')
  }

  async function fetchBytes() {
    if (signedOnly) return setStage('none')
    setStage('fetching')
    try {
      setBytes(URL.createObjectURL(await fetchBlob(mediaFilePath, { id })))
      setStage('fetched')
    } catch {
      // There is no other way; the stage says that the file cannot be shown.
      setStage('none')
    }
  }

  // Without an address no element reports an error.
  const nothingToLoad = address === undefined && (stage === 'signed' || stage === 'refreshed')
  const replaceMissing = useEffectEvent(() => void (stage === 'signed' ? signAnew() : fetchBytes()))
  useEffect(() => {
    if (nothingToLoad) replaceMissing()
  }, [nothingToLoad])

  function onError() {
    if (stage === 'signed') void signAnew()
    else if (stage === 'refreshed') void fetchBytes()
    else if (stage === 'fetched') setStage('none')
  }
  return {
    /** The address that replaces every other. */
    bytes: stage === 'fetched' ? bytes : undefined,
    failed: stage === 'none',
    /** How often it was begun: also from the same address a file is loaded anew. */
    attempt: stage === 'signed' || stage === 'refreshing' ? 0 : 1,
    onError,
  }
}
