import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Atlas, atlasQuery } from '../map/atlas.ts'
import { gridLines } from '../map/graticule.ts'
import { project, type View, worldWidth } from '../map/view.ts'
import { texts } from './texts.ts'

interface Props {
  latitude: number
  longitude: number
  name: string
}

const [WIDTH, HEIGHT] = [320, 180]
/** About 45 degrees across: enough to show a coast or border even inside a large country. */
const ZOOM = 3.3
const GRID_DISTANCE = 60

/** Draws the position on an atlas from our own server, so that no third party learns where photos were taken. */
export default function PlaceMap({ latitude, longitude, name }: Props) {
  const atlas = useQuery(atlasQuery('coarse')).data
  const view = useMemo(() => ({ ...project(latitude, longitude), zoom: ZOOM }), [latitude, longitude])
  const paths = useMemo(() => (atlas === undefined ? [] : draw(atlas, view)), [atlas, view])
  const { meridians, parallels } = gridLines(view, { width: WIDTH, height: HEIGHT }, GRID_DISTANCE)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={texts.details.map({ place: name })}
      className="place-map block w-full"
    >
      {meridians.map(({ at }) => (
        <line key={at} x1={at} y1={0} x2={at} y2={HEIGHT} className="place-map-grid" />
      ))}
      {parallels.map(({ at }) => (
        <line key={at} x1={0} y1={at} x2={WIDTH} y2={at} className="place-map-grid" />
      ))}
      {paths.map(({ transform, land, borders }) => (
        <g key={transform} transform={transform}>
          <path d={land} className="place-map-land" />
          <path d={borders} className="place-map-borders" />
        </g>
      ))}
      <circle cx={WIDTH / 2} cy={HEIGHT / 2} r="12" className="place-map-halo" />
      <circle cx={WIDTH / 2} cy={HEIGHT / 2} r="5" className="place-map-mark" />
    </svg>
  )
}

/** For each copy of the world, because the map may cross the date line. */
function draw({ land, borders }: Atlas, { x, y, zoom }: View) {
  const world = worldWidth(zoom)
  const [halfWidth, halfHeight] = [WIDTH / 2 / world, HEIGHT / 2 / world]
  return [-1, 0, 1].map(copy => {
    const part = [x - copy - halfWidth, y - halfHeight, x - copy + halfWidth, y + halfHeight] as const
    return {
      transform: `scale(${world}) translate(${halfWidth + copy - x} ${halfHeight - y})`,
      land: land.pathWithin(...part),
      borders: borders.pathWithin(...part),
    }
  })
}
