import { queryOptions } from '@tanstack/react-query'
import fine from 'world-atlas/countries-10m.json?url'
import coarse from 'world-atlas/countries-50m.json?url'
import type { AtlasData, Box, Shapes } from './atlas.worker.ts'
import { withTranslatedNames } from './country-names.ts'

/** From here on the coarse atlas shows its corners; the fine one is five times as large. */
export const FINE_FROM_ZOOM = 4.5

export interface Atlas {
  land: ShapeSet
  borders: ShapeSet
  countries: AtlasData['countries']
}

/** Shapes that touch a part of the map, in the units of a view: for a canvas, and as the path of an SVG. */
export interface ShapeSet {
  within(...part: Box): Iterable<Path2D>
  pathWithin(...part: Box): string
}

export function atlasQuery(detail: 'coarse' | 'fine') {
  return queryOptions({
    queryKey: ['world', detail],
    queryFn: () => loadAtlas(detail === 'coarse' ? coarse : fine),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10 * 60_000,
  })
}

async function loadAtlas(url: string): Promise<Atlas> {
  const worker = new Worker(new URL('./atlas.worker.ts', import.meta.url), { type: 'module' })
  try {
    const { land, borders, countries } = await new Promise<AtlasData>((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => resolve(data))
      worker.addEventListener('error', event => reject(new Error(event.message)))
      worker.postMessage(new URL(url, location.href).href)
    })
    return {
      land: createShapes(land),
      borders: createShapes(borders),
      countries: withTranslatedNames(countries),
    }
  } finally {
    worker.terminate()
  }
}

/** Paths are built when they are first in sight. */
function createShapes({ points, lines, shapes, boxes }: Shapes): ShapeSet {
  const paths: Path2D[] = []

  function* indexesWithin(left: number, top: number, right: number, bottom: number): Generator<number> {
    for (let shape = 0; shape < shapes.length - 1; shape++) {
      const at = shape * 4
      if ((boxes[at] ?? 1) > right || (boxes[at + 2] ?? 0) < left) continue
      if ((boxes[at + 1] ?? 1) > bottom || (boxes[at + 3] ?? 0) < top) continue
      yield shape
    }
  }

  function write(shape: number, path: Pick<Path2D, 'moveTo' | 'lineTo'>): void {
    for (let line = shapes[shape] ?? 0; line < (shapes[shape + 1] ?? 0); line++) {
      const [from = 0, to = 0] = [lines[line], lines[line + 1]]
      for (let at = from; at < to; at++) {
        const [x = 0, y = 0] = [points[at * 2], points[at * 2 + 1]]
        if (at === from) path.moveTo(x, y)
        else path.lineTo(x, y)
      }
    }
  }

  function build(shape: number): Path2D {
    const path = new Path2D()
    write(shape, path)
    return path
  }

  return {
    *within(...part) {
      for (const shape of indexesWithin(...part)) {
        const path = paths[shape] ?? build(shape)
        paths[shape] = path
        yield path
      }
    },
    pathWithin(...part) {
      const steps: string[] = []
      const step = (letter: string) => (x: number, y: number) => steps.push(letter, x.toFixed(6), ' ', y.toFixed(6))
      const path = { moveTo: step('M'), lineTo: step('L') }
      for (const shape of indexesWithin(...part)) write(shape, path)
      return steps.join('')
    },
  }
}
