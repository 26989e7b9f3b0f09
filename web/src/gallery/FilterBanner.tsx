import { Button } from '../ui/Button.tsx'
import type { GalleryAddress } from './address.ts'
import { texts } from './texts.ts'
import type { ChangeAddress } from './useGalleryAddress.ts'

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  /** Undefined while it is being counted; null where that failed. */
  count: number | null | undefined
}

/** That not everything is shown, how much is, and the way back to everything. */
export function FilterBanner({ address: { search, type }, change, count }: Props) {
  const filtered = search !== '' || type !== null
  const { found, notCounted } = texts.banner
  const said = count === undefined ? texts.loading : count === null ? notCounted : found(count, type, search)
  return (
    <div role="status">
      {filtered && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-card bg-accent-wash py-1 pr-1 pl-4">
          <p className="wrap-anywhere py-1.5">{said}</p>
          <Button variant="bare" onClick={() => change({ search: '', type: null })}>
            {texts.banner.clear}
          </Button>
        </div>
      )}
    </div>
  )
}
