import { useState } from 'react'
import type { Cluster, Cover } from '#contract/places.ts'
import { formatCount } from '../kit/format.ts'
import { backgroundColour } from '../media/thumbhash.ts'

/** A round photo with the number of files. The list beside the map offers the same to keyboards and screen readers. */
export function ClusterMarker({ cluster, onOpen }: { cluster: Cluster; onOpen: () => void }) {
  return (
    <button type="button" tabIndex={-1} aria-hidden="true" onClick={onOpen} className="map-cluster">
      <CoverPicture cover={cluster.cover} className="map-cluster-photo" />
      {cluster.count > 1 && <span className="map-cluster-count">{formatCount(cluster.count)}</span>}
    </button>
  )
}

export function CoverPicture({ cover, className }: { cover: Cover | null; className: string }) {
  const [failed, setFailed] = useState<string | null>(null)
  const { thumbhash = null, thumbnail_url: url = null } = cover ?? {}
  return (
    <span
      className={className}
      style={thumbhash === null ? undefined : { backgroundColor: backgroundColour(thumbhash) }}
    >
      {url !== null && url !== failed && (
        <img src={url} alt="" loading="lazy" draggable={false} onError={() => setFailed(url)} />
      )}
    </span>
  )
}
