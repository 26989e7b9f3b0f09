import type { Town } from '#contract/places.ts'
import type { Atlas } from './atlas.ts'
import { offsetTo, project, type Size, type View, worldWidth } from './view.ts'

export interface MapColours {
  land: string
  border: string
  label: string
  halo: string
}

export interface MapContent {
  atlas: Atlas | undefined
  towns: readonly Town[]
}

/** The sea is the background of the canvas. */
export function drawMap(
  context: CanvasRenderingContext2D,
  view: View,
  { width, height, pixelRatio }: Size & { pixelRatio: number },
  { atlas, towns }: MapContent,
  colours: MapColours,
): void {
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  if (atlas === undefined) return
  const world = worldWidth(view.zoom)
  const [halfWidth, halfHeight] = [width / 2 / world, height / 2 / world]
  const [top, bottom] = [view.y - halfHeight, view.y + halfHeight]
  // One more on each side, because some shapes reach beyond the edge of the world.
  for (let copy = Math.floor(view.x - halfWidth) - 1; copy <= Math.floor(view.x + halfWidth) + 1; copy++) {
    const [left, right] = [view.x - halfWidth - copy, view.x + halfWidth - copy]
    const scale = world * pixelRatio
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale)
    context.fillStyle = colours.land
    for (const path of atlas.land.within(left, top, right, bottom)) context.fill(path)
    context.strokeStyle = colours.border
    context.lineWidth = 0.8 / world
    for (const path of atlas.borders.within(left, top, right, bottom)) context.stroke(path)
  }
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  drawLabels(context, view, { width, height }, { atlas, towns }, colours)
}

/** Names of countries are shown up to here, where one of them would fill the screen. */
const COUNTRIES_UP_TO_ZOOM = 6.5
const GAP = 6

/** The most important first; a label that would touch one before it is left out. */
function drawLabels(
  context: CanvasRenderingContext2D,
  view: View,
  size: Size,
  { atlas, towns }: MapContent,
  colours: MapColours,
): void {
  const taken: [left: number, top: number, right: number, bottom: number][] = []
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 3
  context.strokeStyle = colours.halo
  context.fillStyle = colours.label
  const world = worldWidth(view.zoom)

  function place(
    name: string,
    point: { x: number; y: number },
    font: string,
    align: 'left' | 'center',
    height: number,
  ) {
    const x = size.width / 2 + offsetTo(view, point.x) * world
    const y = size.height / 2 + (point.y - view.y) * world
    if (x < -100 || y < -20 || x > size.width + 100 || y > size.height + 20) return undefined
    const width = textWidth(context, font, name)
    const left = align === 'center' ? x - width / 2 : x + GAP
    const box: (typeof taken)[number] = [
      x < left ? x - GAP : left - GAP,
      y - height / 2,
      left + width + GAP,
      y + height / 2,
    ]
    if (taken.some(other => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]))
      return undefined
    taken.push(box)
    return { x, y, left }
  }

  function write(name: string, left: number, y: number) {
    context.strokeText(name, left, y)
    context.fillText(name, left, y)
  }

  if (atlas !== undefined && view.zoom < COUNTRIES_UP_TO_ZOOM) {
    context.font = COUNTRY_FONT
    for (const { name, x, y, width } of atlas.countries) {
      // A name that is wider than its country belongs to its neighbours, too.
      if (width * world < textWidth(context, COUNTRY_FONT, name) * 0.8) continue
      const at = place(name, { x, y }, COUNTRY_FONT, 'center', 18)
      if (at) write(name, at.left, at.y)
    }
  }
  context.font = TOWN_FONT
  for (const { name, latitude, longitude } of towns) {
    const at = place(name, project(latitude, longitude), TOWN_FONT, 'left', 20)
    if (!at) continue
    context.beginPath()
    context.arc(at.x, at.y, 2, 0, 2 * Math.PI)
    context.fill()
    write(name, at.left, at.y)
  }
}

const FAMILY = '"Source Sans 3 Variable", sans-serif'
const COUNTRY_FONT = `600 14px ${FAMILY}`
const TOWN_FONT = `13px ${FAMILY}`

const widths = new Map<string, number>()

function textWidth(context: CanvasRenderingContext2D, font: string, text: string): number {
  const key = `${font} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  context.font = font
  const { width } = context.measureText(text)
  // The names of a long journey need not stay in memory.
  if (widths.size > 5_000) widths.clear()
  widths.set(key, width)
  return width
}
