import './map.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Minus, Plus } from 'lucide-react'
import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { writeBounds } from '#contract/bounds.ts'
import { map } from '#contract/limits.ts'
import { mapTowns, type Town } from '#contract/places.ts'
import { query } from '../kit/queries.ts'
import { useTheme } from '../kit/theme.ts'
import { useLatest } from '../ui/hooks.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { atlasQuery, FINE_FROM_ZOOM } from './atlas.ts'
import { drawMap, type MapColours } from './draw-map.ts'
import { MapEngine } from './map-engine.ts'
import { createMarkerLayer } from './marker-layer.ts'
import { texts } from './texts.ts'
import { boundsOf, isWhole, type Size, type View } from './view.ts'

export interface Marker {
  key: string
  latitude: number
  longitude: number
  /** Centred on the position. */
  content: ReactNode
}

export interface WorldMapHandle {
  animateTo: (view: View) => void
  size: () => Size
}

interface Props {
  ref?: Ref<WorldMapHandle>
  /** What is shown first, on a map of this size. */
  start: (size: Size) => View
  markers: readonly Marker[]
  onSettle: (view: View, size: Size) => void
  /** A click on the map itself. */
  onPoint?: (latitude: number, longitude: number) => void
  /** More buttons, below those of the zoom. */
  controls?: ReactNode
}

/** A map of the world from the offline atlas, with towns from the gazetteer. Nothing is requested from elsewhere. */
export function WorldMap({ ref, start, markers, onSettle, onPoint, controls }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const [placeMarkers] = useState(createMarkerLayer)
  const [engine, setEngine] = useState<MapEngine | null>(null)
  const [settled, setSettled] = useState<{ view: View; size: Size } | null>(null)
  const [theme] = useTheme()
  const content = useMapContent(settled)
  const shown = useLatest({ content, markers, theme, settled })
  const begin = useEffectEvent((size: Size) => start(size))
  const settle = useEffectEvent((view: View, size: Size) => {
    setSettled({ view, size })
    onSettle(view, size)
  })
  const point = useEffectEvent((latitude: number, longitude: number) => onPoint?.(latitude, longitude))

  useEffect(() => {
    const [element, surface] = [stage.current, canvas.current]
    const context = surface?.getContext('2d')
    if (!element || !surface || !context) return
    let colours: (MapColours & { theme: string }) | undefined
    let hasDegrees = false
    const made = new MapEngine(element, {
      start: begin({ width: element.clientWidth, height: element.clientHeight }),
      onSettle: settle,
      onPoint: point,
      draw(view, size) {
        const pixelRatio = fitCanvas(surface, size)
        const { content, markers, theme, settled } = shown.current
        if (colours?.theme !== themeNow(theme)) colours = { ...readColours(surface), theme: themeNow(theme) }
        const complete = content.complete && settled?.view === view
        hasDegrees = drawMap(context, view, { ...size, pixelRatio }, { ...content, complete }, colours, hasDegrees)
        if (layer.current !== null) placeMarkers(layer.current, markers, view, size)
      },
    })
    setEngine(made)
    settle(made.view, made.size)
    return () => made.destroy()
  }, [shown, placeMarkers])

  // After every render, which are few: markers, atlas, towns or the theme may be new. A layout effect, because a marker
  // must not be seen at the corner before it is placed.
  useLayoutEffect(() => {
    if (engine === null) return
    if (layer.current !== null) placeMarkers(layer.current, markers, engine.view, engine.size)
    engine.redraw()
  })

  useImperativeHandle(ref, () => ({
    animateTo: view => engine?.animateTo(view, 400),
    size: () => engine?.size ?? { width: 0, height: 0 },
  }))

  const zoom = settled?.view.zoom ?? 0
  return (
    <div className="world-map">
      <div
        ref={stage}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
        tabIndex={0}
        role="application"
        aria-label={onPoint === undefined ? texts.label : texts.pointLabel}
        aria-roledescription={texts.role}
        className="world-map-stage"
      >
        <canvas ref={canvas} className="world-map-canvas" />
        <div className="world-map-markers">
          <div ref={layer} className="world-map-layer">
            {markers.map(marker => (
              <div key={marker.key} className="world-map-marker">
                {marker.content}
              </div>
            ))}
          </div>
        </div>
      </div>
      <div className="world-map-controls">
        <IconButton
          label={texts.zoomIn}
          disabled={zoom >= map.maxZoom}
          focusableWhenDisabled
          onClick={() => engine?.zoomBy(1)}
        >
          <Plus aria-hidden="true" className="size-5" />
        </IconButton>
        <IconButton
          label={texts.zoomOut}
          disabled={settled !== null && isWhole(settled.view, settled.size)}
          focusableWhenDisabled
          onClick={() => engine?.zoomBy(-1)}
        >
          <Minus aria-hidden="true" className="size-5" />
        </IconButton>
        {controls}
      </div>
    </div>
  )
}

/** The fine atlas is loaded where it is needed; until then, and if it fails, the coarse one is shown. */
function useMapContent(settled: { view: View; size: Size } | null) {
  const coarse = useQuery(atlasQuery('coarse')).data
  const near = settled !== null && settled.view.zoom >= FINE_FROM_ZOOM
  const fine = useQuery({ ...atlasQuery('fine'), enabled: near }).data
  const bounds = settled === null ? '' : writeBounds(boundsOf(settled.view, settled.size, 'whole'))
  const {
    data: towns,
    isPlaceholderData,
    isPending,
  } = useQuery({
    ...query(mapTowns, { query: { bounds } }),
    enabled: bounds !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const atlas = near ? (fine ?? coarse) : coarse
  // The names stay if those of another part could not be loaded.
  const [shown, setShown] = useState<readonly Town[]>([])
  if (towns !== undefined && towns !== shown) setShown(towns)
  return { atlas, towns: shown, complete: atlas !== undefined && !isPending && !isPlaceholderData }
}

/** Returns the number of device pixels for each pixel. More than two cost time and are not seen. */
function fitCanvas(canvas: HTMLCanvasElement, { width, height }: Size): number {
  const ratio = Math.min(2, window.devicePixelRatio || 1)
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide
    canvas.height = high
  }
  return ratio
}

function themeNow(theme: string): string {
  return `${theme} ${window.matchMedia('(prefers-color-scheme: dark)').matches}`
}

/** From properties of the canvas that have no effect on it: a custom property would not resolve `light-dark()`. */
function readColours(canvas: HTMLCanvasElement): MapColours {
  const style = getComputedStyle(canvas)
  return {
    land: style.color,
    border: style.outlineColor,
    label: style.textDecorationColor,
    halo: style.columnRuleColor,
  }
}
