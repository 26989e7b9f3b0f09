import { queryOptions } from '@tanstack/react-query'
import fine from 'world-atlas/countries-10m.json?url'
import coarse from 'world-atlas/countries-50m.json?url'
import type { AtlasData, Shapes } from './atlas.worker.ts'

/** From here on the coarse atlas shows its corners; the fine one is five times as large. */
export const FINE_FROM_ZOOM = 4.5

export interface Atlas {
  land: ShapeSet
  borders: ShapeSet
  countries: AtlasData['countries']
}

export interface ShapeSet {
  /** The shapes that touch a part of the map, in the units of a view. */
  within(left: number, top: number, right: number, bottom: number): Iterable<Path2D>
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
    return { land: createShapes(land), borders: createShapes(borders), countries }
  } finally {
    worker.terminate()
  }
}

/** Paths are built when they are first in sight. */
function createShapes({ points, lines, shapes, boxes }: Shapes): ShapeSet {
  const paths: (Path2D | undefined)[] = []

  function build(shape: number): Path2D {
    const path = new Path2D()
    for (let line = shapes[shape] ?? 0; line < (shapes[shape + 1] ?? 0); line++) {
      const [from = 0, to = 0] = [lines[line], lines[line + 1]]
      for (let at = from; at < to; at++) {
        const [x = 0, y = 0] = [points[at * 2], points[at * 2 + 1]]
        if (at === from) path.moveTo(x, y)
        else path.lineTo(x, y)
      }
    }
    return path
  }

  return {
    *within(left, top, right, bottom) {
      for (let shape = 0; shape < shapes.length - 1; shape++) {
        const at = shape * 4
        if ((boxes[at] ?? 1) > right || (boxes[at + 2] ?? 0) < left) continue
        if ((boxes[at + 1] ?? 1) > bottom || (boxes[at + 3] ?? 0) < top) continue
        paths[shape] ??= build(shape)
        const path = paths[shape]
        if (path !== undefined) yield path
      }
    },
  }
}
