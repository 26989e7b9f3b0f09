import { useQuery } from '@tanstack/react-query'
import { geoGraticule10, geoMercator, geoPath } from 'd3-geo'
import { useMemo } from 'react'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-50m.json?url'
import { texts } from '../texts.ts'

interface Props {
  latitude: number
  longitude: number
  name: string
}

type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>

const [WIDTH, HEIGHT] = [320, 180]
/** About 45 degrees across: even in the midst of a large country there is a coast or a border to know it by. */
const SCALE = 400

/** Where on earth: drawn from an atlas that our own server has, so that no photo's place is told to anyone. */
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

/** Mercator has no poles. */
const FARTHEST = 84

function draw(world: World, latitude: number, longitude: number) {
  const projection = geoMercator()
    .center([0, Math.max(-FARTHEST, Math.min(FARTHEST, latitude))])
    // The world is turned, not the map, so that it has no edge anywhere.
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
