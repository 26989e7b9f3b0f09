import type { Bounds } from '#contract/bounds.ts'
import { map } from '#contract/limits.ts'

/** What a map shows: its centre in the Mercator projection, where the world is 1 wide and 1 high, and its zoom. */
export interface View {
  x: number
  y: number
  zoom: number
}

export interface Size {
  width: number
  height: number
}

/** The Mercator projection has no poles. */
const MAX_LATITUDE = 85.05

export function project(latitude: number, longitude: number): { x: number; y: number } {
  const radians = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI) / 180
  return { x: (longitude + 180) / 360, y: 0.5 - Math.log(Math.tan(Math.PI / 4 + radians / 2)) / (2 * Math.PI) }
}

/** `x` may be of any copy of the world. */
export function unproject(x: number, y: number): { latitude: number; longitude: number } {
  const latitude = (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI
  return { latitude, longitude: wrap(x) * 360 - 180 }
}

function wrap(x: number): number {
  return x - Math.floor(x)
}

/** The width of the world, in pixels. */
export function worldWidth(zoom: number): number {
  return 256 * 2 ** zoom
}

/** The distance from the centre of the view to a point, by the shorter way around the world. */
export function offsetTo(view: View, x: number): number {
  return wrap(x - view.x + 0.5) - 0.5
}

/** The world fills the map, and the zoom ends where the atlas does. */
export function limitView({ x, y, zoom }: View, { width, height }: Size): View {
  const least = Math.max(0, Math.log2(Math.max(width, height, 1) / 256))
  const limited = Math.min(Math.max(zoom, least), Math.max(map.maxZoom, least))
  const half = height / 2 / worldWidth(limited)
  return { x: wrap(x), y: Math.min(1 - half, Math.max(half, y)), zoom: limited }
}

/** Whether the map shows as much of the world as it can. */
export function isWhole(view: View, size: Size): boolean {
  return view.zoom <= limitView({ ...view, zoom: 0 }, size).zoom
}

/** Zooms around a point of the map, in pixels from its centre. */
export function zoomAround(view: View, zoom: number, right: number, down: number): View {
  const [before, after] = [worldWidth(view.zoom), worldWidth(zoom)]
  return { x: view.x + right / before - right / after, y: view.y + down / before - down / after, zoom }
}

/** A free edge around what is shown, in pixels. */
const EDGE = 64
/** Closer, a single place would have nothing around it. */
const CLOSEST_FIT = 10

export function viewOf({ west, south, east, north }: Bounds, size: Size): View {
  const [topLeft, bottomRight] = [project(north, west), project(south, east)]
  const width = west <= east ? bottomRight.x - topLeft.x : bottomRight.x + 1 - topLeft.x
  const height = bottomRight.y - topLeft.y
  const fits = Math.min((size.width - 2 * EDGE) / (width || 1e-9), (size.height - 2 * EDGE) / (height || 1e-9))
  const zoom = Math.min(CLOSEST_FIT, Math.log2(Math.max(fits, 1) / 256))
  return limitView({ x: topLeft.x + width / 2, y: topLeft.y + height / 2, zoom }, size)
}

/** What is in sight, extended to whole tiles of 256 px, so that small moves request nothing. */
export function boundsOf(view: View, { width, height }: Size, tiles: 'exact' | 'whole'): Bounds {
  const world = worldWidth(view.zoom)
  const tile = tiles === 'exact' ? 0 : 2 ** -Math.round(view.zoom)
  const down = (value: number) => (tile === 0 ? value : Math.floor(value / tile) * tile)
  const up = (value: number) => (tile === 0 ? value : Math.ceil(value / tile) * tile)
  const [left, right] = [down(view.x - width / 2 / world), up(view.x + width / 2 / world)]
  const [top, bottom] = [down(view.y - height / 2 / world), up(view.y + height / 2 / world)]
  const [north, south] = [top <= 0 ? 90 : unproject(0, top).latitude, bottom >= 1 ? -90 : unproject(0, bottom).latitude]
  if (right - left >= 1) return { west: -180, south, east: 180, north }
  const east = unproject(right, 0).longitude
  // The eastern edge of the world is 180, not -180.
  return { west: unproject(left, 0).longitude, south, east: east === -180 ? 180 : east, north }
}

/** As in the URL: latitude, longitude and zoom. */
export function writeView(view: View): string {
  const { latitude, longitude } = unproject(view.x, view.y)
  return [latitude.toFixed(4), longitude.toFixed(4), view.zoom.toFixed(2)].map(Number).join(',')
}

export function readView(text: string | null): View | null {
  if (text === null || !/^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?,\d{1,2}(\.\d+)?$/.test(text)) return null
  const [latitude = 0, longitude = 0, zoom = 0] = text.split(',').map(Number)
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null
  return { ...project(latitude, longitude), zoom }
}

export function isInSight(at: { latitude: number; longitude: number }, view: View, { width, height }: Size): boolean {
  const { x, y } = project(at.latitude, at.longitude)
  const world = worldWidth(view.zoom)
  return Math.abs(offsetTo(view, x)) * world <= width / 2 && Math.abs(y - view.y) * world <= height / 2
}
