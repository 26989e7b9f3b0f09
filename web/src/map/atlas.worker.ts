import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { project } from './view.ts'

/** Shapes as flat lists, which are handed over to the page without copying. */
export interface AtlasData {
  land: Shapes
  borders: Shapes
  /** `code`: the numeric one of ISO 3166; undefined for parts that have none. */
  countries: { name: string; code: string | undefined; x: number; y: number; width: number }[]
}

export interface Shapes {
  /** Pairs of x and y. */
  points: Float32Array
  /** Where each line or ring begins, in points; the last entry is the end. */
  lines: Uint32Array
  /** Where each shape begins, in lines; the last entry is the end. */
  shapes: Uint32Array
  /** Four for each shape: left, top, right and bottom. */
  boxes: Float32Array
}

type World = Topology<{ countries: GeometryCollection<{ name: string }> }>
type Line = readonly (readonly number[])[]
type Point = readonly [x: number, y: number]

/** In a worker, because parsing the large atlas takes a few hundred milliseconds. */
self.addEventListener('message', async ({ data: url }: MessageEvent<string>) => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The atlas could not be loaded: ${response.status}`)
  const data = read(await response.json())
  const { land, borders } = data
  const buffers = [land, borders].flatMap(({ points, lines, shapes, boxes }) => [
    points.buffer,
    lines.buffer,
    shapes.buffer,
    boxes.buffer,
  ])
  self.postMessage(data, { transfer: buffers })
})

function read(world: World): AtlasData {
  const countries: AtlasData['countries'] = []
  const land: Point[][][] = []
  for (const { id, geometry, properties } of feature(world, world.objects.countries).features) {
    const polygons =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : []
    const parts = polygons.map(rings => rings.map(projectLine))
    land.push(...parts)
    const largest = parts.map(([outline]) => boxOf(outline ?? [])).sort((a, b) => sizeOf(b) - sizeOf(a))[0]
    if (largest) {
      const [left, top, right, bottom] = largest
      countries.push({
        name: properties.name,
        code: id === undefined ? undefined : String(id),
        x: (left + right) / 2,
        y: (top + bottom) / 2,
        width: right - left,
      })
    }
  }
  const borders = mesh(world, world.objects.countries, (one, other) => one !== other).coordinates
  return {
    land: flatten(land),
    borders: flatten(borders.map(line => [projectLine(line)])),
    countries: countries.sort((a, b) => b.width - a.width),
  }
}

/** Below this, the outline of Antarctica follows the lower edge of the map from one side to the other. */
const LOWER_EDGE = 0.999

/** A line that crosses the date line goes on beyond the edge of the world, instead of back across all of it. */
function projectLine(line: Line): Point[] {
  let copy = 0
  let before: Point | undefined
  return line.map(([longitude = 0, latitude = 0]) => {
    const { x, y } = project(latitude, longitude)
    if (before !== undefined && Math.abs(x + copy - before[0]) > 0.5 && y < LOWER_EDGE)
      copy += x + copy > before[0] ? -1 : 1
    before = [x + copy, y]
    return before
  })
}

export type Box = [left: number, top: number, right: number, bottom: number]

function sizeOf([left, top, right, bottom]: Box): number {
  return (right - left) * (bottom - top)
}

function boxOf(line: readonly Point[]): Box {
  const box: Box = [2, 2, -1, -1]
  for (const [x, y] of line) {
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  return box
}

function flatten(groups: readonly (readonly Point[][])[]): Shapes {
  const points: number[] = []
  const lines: number[] = []
  const shapes: number[] = []
  const boxes: number[] = []
  for (const group of groups) {
    shapes.push(lines.length)
    boxes.push(...boxOf(group.flat()))
    for (const line of group) {
      lines.push(points.length / 2)
      for (const [x, y] of line) points.push(x, y)
    }
  }
  shapes.push(lines.length)
  lines.push(points.length / 2)
  return {
    points: Float32Array.from(points),
    lines: Uint32Array.from(lines),
    shapes: Uint32Array.from(shapes),
    boxes: Float32Array.from(boxes),
  }
}
