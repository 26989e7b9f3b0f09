import { ArrowLeft, Maximize2 } from 'lucide-react'
import { type RefObject, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Bounds, readBounds, writeBounds } from '#contract/bounds.ts'
import type { Cluster } from '#contract/places.ts'
import { Gallery } from '../gallery/Gallery.tsx'
import { type ChangeAddress, type GalleryAddress, useGalleryAddress } from '../gallery/gallery-address.ts'
import { filterPath } from '../kit/filter-path.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { boundsOf, isInSight, readView, type Size, type View, viewOf, writeView } from '../map/view.ts'
import { WorldMap, type WorldMapHandle } from '../map/WorldMap.tsx'
import { ClusterMarker } from '../places/ClusterMarker.tsx'
import { NoPlaces } from '../places/NoPlaces.tsx'
import { PlacesInSight } from '../places/PlacesInSight.tsx'
import { useClusters, useExtent } from '../places/queries.ts'
import { texts } from '../places/texts.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useAllowedDialogs } from './file-dialogs.tsx'
import { PhotoViewer } from './LazyPhotoViewer.tsx'

/** All photos that have a place, on a map. */
export function MapPage() {
  usePageTitle(texts.map.page)
  const extent = useExtent()
  if (extent.data === undefined) return <LoadingOrError query={extent} texts={texts} />
  if (extent.data.bounds === null) {
    return (
      <>
        <PageHeader heading={texts.map.page} subtitle={texts.map.subtitle} />
        <NoPlaces />
      </>
    )
  }
  return <PhotoMap extent={readBounds(extent.data.bounds)} />
}

function PhotoMap({ extent }: { extent: Bounds }) {
  const [address, change] = useGalleryAddress()
  const handle = useRef<WorldMapHandle>(null)
  const panel = useRef<HTMLElement>(null)
  const [settled, setSettled] = useState<{ view: View; size: Size } | null>(null)
  const clusters = useClusters(settled).data
  useFollowAddress(address, settled, view => handle.current?.animateTo(view))
  const { bounds = null } = address.filter
  useKeepFocus(panel, bounds)

  const open = (bounds: string) => change({ filter: { bounds } })
  const inSight = useMemo(
    () => clusters?.filter(cluster => settled !== null && isInSight(cluster, settled.view, settled.size)) ?? [],
    [clusters, settled],
  )
  const markers = useMarkers(clusters, change)
  const showAll = () => handle.current?.animateTo(viewOf(extent, handle.current.size()))
  return (
    <div className="map-page">
      <div className="map-page-stage">
        <WorldMap
          ref={handle}
          start={size => readView(address.at) ?? viewOf(extent, size)}
          markers={markers}
          onSettle={(view, size) => {
            setSettled({ view, size })
            change({ at: writeView(view) }, { replace: true })
          }}
          controls={
            <IconButton label={texts.map.showAll} onClick={showAll}>
              <Maximize2 aria-hidden="true" className="size-5" />
            </IconButton>
          }
        />
        <Link to="/about" className="map-credits">
          {texts.map.credits}
        </Link>
      </div>
      <section
        ref={panel}
        aria-label={bounds === null ? texts.inSight.heading : texts.map.photos}
        className="map-page-panel"
      >
        <h1 className="sr-only">{texts.map.page}</h1>
        {bounds === null ? (
          <>
            <h2 className="px-2 py-2 font-semibold text-lead">{texts.inSight.heading}</h2>
            {clusters !== undefined && (
              <PlacesInSight
                clusters={inSight}
                onOpen={cluster => open(cluster.bounds)}
                onOpenAll={() => settled && open(writeBounds(boundsOf(settled.view, settled.size, 'exact')))}
                onShowAll={showAll}
              />
            )}
          </>
        ) : (
          <>
            <Button
              variant="bare"
              icon={<ArrowLeft aria-hidden="true" className="size-5" />}
              onClick={() => change({ filter: { bounds: undefined }, file: null })}
            >
              {texts.map.close}
            </Button>
            <Photos address={address} change={change} />
          </>
        )}
      </section>
    </div>
  )
}

/** The list of places and the photos of one replace each other, with the button that had the focus. */
function useKeepFocus(panel: RefObject<HTMLElement | null>, bounds: string | null): void {
  const before = useRef(bounds)
  useEffect(() => {
    const opened = before.current
    before.current = bounds
    if (opened === bounds || document.activeElement !== document.body) return
    const line =
      bounds === null && opened !== null && panel.current?.querySelector(`[data-bounds="${CSS.escape(opened)}"]`)
    const next = line || panel.current?.querySelector('button')
    if (next instanceof HTMLElement) next.focus({ preventScroll: true })
  }, [bounds, panel])
}

/** Back and forward move the map. */
function useFollowAddress({ at }: GalleryAddress, settled: { view: View } | null, follow: (view: View) => void): void {
  const move = useEffectEvent((text: string | null) => {
    const view = readView(text)
    if (view !== null && settled !== null && writeView(settled.view) !== text) follow(view)
  })
  useEffect(() => move(at), [at])
}

function useMarkers(clusters: readonly Cluster[] | undefined, change: ChangeAddress) {
  return useMemo(
    () =>
      clusters?.map(cluster => ({
        key: String(cluster.cover.media_id),
        latitude: cluster.latitude,
        longitude: cluster.longitude,
        content: <ClusterMarker cluster={cluster} onOpen={() => change({ filter: { bounds: cluster.bounds } })} />,
      })) ?? [],
    [clusters, change],
  )
}

/** The gallery's list of what is in sight, with all that can be done there. */
function Photos({ address, change }: { address: GalleryAddress; change: ChangeAddress }) {
  const navigate = useNavigate()
  const dialogs = useAllowedDialogs()
  const { title, text } = texts.map.emptyHere
  return (
    <Gallery
      address={address}
      change={change}
      empty={
        <EmptyState title={title} text={text}>
          <Button onClick={() => change({ filter: { bounds: undefined } })}>{texts.map.close}</Button>
        </EmptyState>
      }
      narrow
      dialogs={dialogs}
      renderViewer={viewed => (
        <Suspense fallback={null}>
          <PhotoViewer viewed={viewed} onSearch={search => void navigate(filterPath({ search }))} />
        </Suspense>
      )}
    />
  )
}
