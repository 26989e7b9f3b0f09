import type { Cluster } from '#contract/places.ts'
import { formatPhotos } from '../kit/format.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CoverPicture } from './ClusterMarker.tsx'
import { texts } from './texts.ts'

interface Props {
  clusters: readonly Cluster[]
  onOpen: (cluster: Cluster) => void
  /** All that is in sight. */
  onOpenAll: () => void
  onShowAll: () => void
}

const MOST = 100

/** What the map shows, as a list. */
export function PlacesInSight({ clusters, onOpen, onOpenAll, onShowAll }: Props) {
  if (clusters.length === 0) {
    const { title, text, all } = texts.map.emptyHere
    return (
      <EmptyState title={title} text={text}>
        <Button onClick={onShowAll}>{all}</Button>
      </EmptyState>
    )
  }
  const rest = clusters.length - MOST
  return (
    <>
      <p role="status" className="sr-only">
        {texts.inSight.summary({
          places: clusters.length,
          photos: clusters.reduce((sum, { count }) => sum + count, 0),
        })}
      </p>
      <ul aria-label={texts.inSight.heading} className="flex flex-col">
        {clusters.slice(0, MOST).map(cluster => (
          <li key={cluster.cover.media_id}>
            <button type="button" data-bounds={cluster.bounds} onClick={() => onOpen(cluster)} className="place-line">
              <CoverPicture cover={cluster.cover} className="place-line-cover" />
              <span className="flex min-w-0 flex-col text-left">
                <span className="line-clamp-2 font-semibold" dir="auto">
                  {nameOf(cluster)}
                </span>{' '}
                <span className="text-fine text-ink-soft">{formatPhotos(cluster.count)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="px-2 py-3 text-ink-soft text-small">{texts.inSight.more({ count: rest })}</p>}
      <div className="p-2">
        <Button onClick={onOpenAll}>{texts.map.showInSight}</Button>
      </div>
    </>
  )
}

function nameOf({ place, elsewhere }: Cluster): string {
  if (place === null) return texts.inSight.unnamed
  return elsewhere ? texts.inSight.andElsewhere({ place }) : place
}
