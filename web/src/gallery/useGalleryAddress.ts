import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { type GalleryAddress, readAddress, writeAddress } from './address.ts'

interface How {
  /** Takes the place of the current entry in the browser's history. */
  replace?: boolean
}

export type ChangeAddress = (change: Partial<GalleryAddress>, how?: How) => void

/** What the gallery shows; it stands in the address, so that Back, a reload and a shared link find it again. */
export function useGalleryAddress(): [GalleryAddress, ChangeAddress] {
  const [params, setParams] = useSearchParams()
  const address = useMemo(() => readAddress(params), [params])
  const change = useCallback<ChangeAddress>(
    (change, { replace = false } = {}) => {
      // What the router hands out is the address that was drawn last; a choice made a moment ago may not be in it yet.
      const now = readAddress(new URLSearchParams(window.location.search))
      const next = writeAddress({ ...now, ...change })
      // Who chooses what is chosen already must not have to go back twice.
      if (next.toString() === writeAddress(now).toString()) return
      setParams(next, { replace, preventScrollReset: true })
    },
    [setParams],
  )
  return [address, change]
}
