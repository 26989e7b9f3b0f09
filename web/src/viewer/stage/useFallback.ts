import { useEffect, useState } from 'react'
import { type MediaFile, mediaFilePath } from '#contract/media.ts'
import { fetchBlob } from '../../kit/api.ts'

/** Where a file is shown from: its signed address, the same signed anew, its bytes fetched with the session; then nowhere. */
type Stage = 'signed' | 'refreshing' | 'refreshed' | 'fetching' | 'fetched' | 'none'

/**
 * Another way to a file whose address has failed: it may have run out while the page stayed open, so the file is asked
 * for once more; then its bytes are fetched by the session. Made anew for each file.
 */
export function useFallback(file: MediaFile, refresh: () => Promise<MediaFile | undefined>) {
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
    setStage('fetching')
    try {
      setBytes(URL.createObjectURL(await fetchBlob(mediaFilePath, { id: file.id })))
      setStage('fetched')
    } catch {
      // There is no other way; the stage says that the file cannot be shown.
      setStage('none')
    }
  }

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
