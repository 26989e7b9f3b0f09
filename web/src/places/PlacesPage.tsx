import './places.css'
import { Map as MapIcon } from 'lucide-react'
import { Link } from 'react-router'
import type { Country } from '#contract/places.ts'
import { filterPath } from '../kit/filter-path.ts'
import { formatPhotos } from '../kit/format.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { CoverPicture } from './ClusterMarker.tsx'
import { NoPlaces } from './NoPlaces.tsx'
import { usePlaces } from './queries.ts'
import { texts } from './texts.ts'

/** The countries and towns of the library, as cards that open the gallery. */
export function PlacesPage() {
  usePageTitle(texts.places.page)
  const places = usePlaces()
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <PageHeader heading={texts.places.page} subtitle={texts.places.subtitle} />
        {places.data !== undefined && places.data.length > 0 && (
          <Link to="/map" className="place-link mb-5">
            <MapIcon aria-hidden="true" className="size-5" />
            {texts.places.toMap}
          </Link>
        )}
      </div>
      {places.data === undefined ? (
        <LoadingOrError query={places} texts={texts} />
      ) : places.data.length === 0 ? (
        <NoPlaces />
      ) : (
        <div className="place-countries">
          {places.data.map(country => (
            <CountrySection key={country.area} country={country} />
          ))}
        </div>
      )}
    </>
  )
}

/** Countries with so few towns are beside each other. */
const FEW = 2

function CountrySection({ country }: { country: Country }) {
  const { name, area, count, cover, towns, town_count } = country
  return (
    <section aria-label={name} data-many={towns.length > FEW ? '' : undefined}>
      <Link to={filterPath({ area })} className="place-country">
        <CoverPicture cover={cover} className="place-country-cover" />
        <span className="flex min-w-0 flex-col">
          <span className="truncate font-semibold font-serif text-lead" dir="auto">
            {name}
          </span>{' '}
          <span className="text-ink-soft text-small">{formatPhotos(count)}</span>
        </span>
      </Link>
      <ul aria-label={texts.places.townsOf({ country: name })} className="place-cards">
        {towns.map(town => (
          <li key={town.area}>
            <Link to={filterPath({ area: town.area })} className="place-card">
              <CoverPicture cover={town.cover} className="place-card-cover" />
              <span className="mt-1.5 line-clamp-2 font-semibold text-small" dir="auto">
                {town.name}
              </span>{' '}
              <span className="text-fine text-ink-soft">{formatPhotos(town.count)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {town_count > towns.length && (
        <p className="mt-2 text-ink-soft text-small">{texts.places.more({ count: town_count - towns.length })}</p>
      )}
    </section>
  )
}
