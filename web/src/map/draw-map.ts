import type { Town } from '#contract/places.ts'
import type { Atlas } from './atlas.ts'
import { degreesText, gridLines, scaleOf } from './graticule.ts'
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
  /** Whether all names of this part of the map are loaded. */
  complete: boolean
}

/** The sea is the background of the canvas. Returns whether there are degrees; `hadDegrees`: whether there were before. */
export function drawMap(
  context: CanvasRenderingContext2D,
  view: View,
  { width, height, pixelRatio }: Size & { pixelRatio: number },
  { atlas, towns, complete }: MapContent,
  colours: MapColours,
  hadDegrees: boolean,
): boolean {
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  if (atlas !== undefined) drawAtlas(context, view, { width, height, pixelRatio }, atlas, colours)
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  const size = { width, height }
  const grid = gridLines(view, size)
  drawGrid(context, size, grid, colours)
  const names = drawLabels(context, view, size, { atlas, towns }, colours)
  // Families look for names; degrees are for where there are none. While names are loading, nothing changes.
  const hasDegrees = names === 0 && (complete || hadDegrees)
  if (hasDegrees) drawDegrees(context, grid)
  drawScale(context, view, size, colours)
  return hasDegrees
}

function drawAtlas(
  context: CanvasRenderingContext2D,
  view: View,
  { width, height, pixelRatio }: Size & { pixelRatio: number },
  atlas: Atlas,
  colours: MapColours,
): void {
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
}

type Grid = ReturnType<typeof gridLines>

function drawGrid(
  context: CanvasRenderingContext2D,
  { width, height }: Size,
  { meridians, parallels }: Grid,
  colours: MapColours,
): void {
  context.beginPath()
  for (const { at } of meridians) {
    context.moveTo(at, 0)
    context.lineTo(at, height)
  }
  for (const { at } of parallels) {
    context.moveTo(0, at)
    context.lineTo(width, at)
  }
  context.strokeStyle = colours.border
  context.lineWidth = 1
  context.globalAlpha = 0.4
  context.stroke()
  context.globalAlpha = 1
}

/** At the upper and the left edge, with the font and colours of towns. */
function drawDegrees(context: CanvasRenderingContext2D, { meridians, parallels }: Grid): void {
  context.font = TOWN_FONT
  for (const { at, degrees } of meridians) writeText(context, degreesText(degrees, 'longitude'), at + GAP, 12)
  for (const { at, degrees } of parallels) writeText(context, degreesText(degrees, 'latitude'), GAP, at - 10)
}

/** Above the lower edge, which the sheet of a phone covers. */
const SCALE_EDGE = { right: 16, bottom: 24 }

function drawScale(context: CanvasRenderingContext2D, view: View, { width, height }: Size, colours: MapColours): void {
  const { pixels, text } = scaleOf(view)
  const [right, y] = [width - SCALE_EDGE.right, height - SCALE_EDGE.bottom]
  context.font = TOWN_FONT
  writeText(context, text, right - (pixels + textWidth(context, TOWN_FONT, text)) / 2, y - 10)
  for (const [colour, line] of [
    [colours.halo, 4],
    [colours.label, 1.5],
  ] as const) {
    context.beginPath()
    context.moveTo(right - pixels, y - 4)
    context.lineTo(right - pixels, y)
    context.lineTo(right, y)
    context.lineTo(right, y - 4)
    context.strokeStyle = colour
    context.lineWidth = line
    context.stroke()
  }
}

/** With a halo, in the colours that `drawLabels` has set. */
function writeText(context: CanvasRenderingContext2D, text: string, left: number, y: number): void {
  context.strokeText(text, left, y)
  context.fillText(text, left, y)
}

/** Names of countries are shown up to here, where one of them would fill the screen. */
const COUNTRIES_UP_TO_ZOOM = 6.5
const GAP = 6

/** The most important first; a label that would touch one before it is left out. Returns how many names are in sight. */
function drawLabels(
  context: CanvasRenderingContext2D,
  view: View,
  size: Size,
  { atlas, towns }: Omit<MapContent, 'complete'>,
  colours: MapColours,
): number {
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

  if (atlas !== undefined && view.zoom < COUNTRIES_UP_TO_ZOOM) {
    context.font = COUNTRY_FONT
    for (const { name, x, y, width } of atlas.countries) {
      // A name that is wider than its country belongs to its neighbours, too.
      if (width * world < textWidth(context, COUNTRY_FONT, name) * 0.8) continue
      const at = place(name, { x, y }, COUNTRY_FONT, 'center', 18)
      if (at) writeText(context, name, at.left, at.y)
    }
  }
  context.font = TOWN_FONT
  for (const { name, latitude, longitude } of towns) {
    const at = place(name, project(latitude, longitude), TOWN_FONT, 'left', 20)
    if (!at) continue
    context.beginPath()
    context.arc(at.x, at.y, 2, 0, 2 * Math.PI)
    context.fill()
    writeText(context, name, at.left, at.y)
  }
  return taken.filter(([left, top, right, bottom]) => left > 0 && right < size.width && top > 0 && bottom < size.height)
    .length
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
