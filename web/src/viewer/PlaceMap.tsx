import { useQuery } from '@tanstack/react-query'
import { geoGraticule10, geoMercator, geoPath } from 'd3-geo'
import { useMemo } from 'react'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-50m.json?url'
import { texts } from './texts.ts'

interface Props {
  latitude: number
  longitude: number
  name: string
}

type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>

const [WIDTH, HEIGHT] = [320, 180]
/** About 45 degrees across: enough to show a coast or border even inside a large country. */
const SCALE = 400

/** Draws the position on an atlas from our own server, so that no third party learns where photos were taken. */
export default function PlaceMap({ latitude, longitude, name }: Props) {
  const world = useQuery({ queryKey: ['atlas'], queryFn: fetchAtlas, staleTime: Number.POSITIVE_INFINITY }).data
  const paths = useMemo(
    () => (world === undefined ? undefined : draw(world, latitude, longitude)),
    [world, latitude, longitude],
  )
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={texts.details.map(name)}
      className="place-map block w-full"
    >
      {paths !== undefined && (
        <>
          <path d={paths.grid} className="place-map-grid" />
          <path d={paths.land} className="place-map-land" />
          <path d={paths.borders} className="place-map-borders" />
        </>
      )}
      <circle cx={WIDTH / 2} cy={HEIGHT / 2} r="12" className="place-map-halo" />
      <circle cx={WIDTH / 2} cy={HEIGHT / 2} r="5" className="place-map-mark" />
    </svg>
  )
}

async function fetchAtlas(): Promise<World> {
  const response = await fetch(atlas)
  if (!response.ok) throw new Error(`The atlas did not come: ${response.status}`)
  return response.json()
}

/** The Mercator projection cannot show the poles. */
const MAX_LATITUDE = 84

function draw(world: World, latitude: number, longitude: number) {
  const projection = geoMercator()
    .center([0, Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude))])
    // Rotating the world instead of moving the map avoids an edge at the date line.
    .rotate([-longitude, 0])
    .scale(SCALE)
    .translate([WIDTH / 2, HEIGHT / 2])
    .clipExtent([
      [-2, -2],
      [WIDTH + 2, HEIGHT + 2],
    ])
  const path = geoPath(projection).digits(1)
  const { countries, land } = world.objects
  return {
    grid: path(geoGraticule10()) ?? '',
    land: path(feature(world, land)) ?? '',
    borders: path(mesh(world, countries, (one, other) => one !== other)) ?? '',
  }
}
