import './places.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { useRef, useState } from 'react'
import { readBounds } from '#contract/bounds.ts'
import { getMedia, type MediaFile } from '#contract/media.ts'
import { type FoundPlace, searchPlaces } from '#contract/places.ts'
import { query } from '../kit/queries.ts'
import { project, viewOf } from '../map/view.ts'
import { WorldMap, type WorldMapHandle } from '../map/WorldMap.tsx'
import { formatCoordinates } from '../media/format.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { useDebounced, useIsMounted } from '../ui/hooks.ts'
import { SearchField } from '../ui/SearchField.tsx'
import { useCorrectPlaces, useExtent } from './queries.ts'
import { texts } from './texts.ts'

interface Position {
  latitude: number
  longitude: number
}

interface Props {
  fileIds: readonly number[]
  onClose: () => void
}

/** Closer than the whole world, so that the town can be recognised. */
const FOUND_ZOOM = 9

/** Sets or clears the place of files: found by its name, or by a click on the map. Open while it is mounted. */
export function PlaceDialog({ fileIds, onClose }: Props) {
  const map = useRef<WorldMapHandle>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<(Position & { name?: string }) | null>(null)
  const extent = useExtent().data
  const correct = useCorrectPlaces()
  const isMounted = useIsMounted()
  const words = texts.correct
  // For a single file only what would change something is offered.
  const [only] = fileIds.length === 1 ? fileIds : []
  const { data: file } = useQuery({ ...query(getMedia, { params: { id: only ?? 0 } }), enabled: only !== undefined })
  const canUseCamera = only === undefined || file?.place_correction?.camera != null
  const canClear = only === undefined || (file !== undefined && (file.latitude !== null || file.location !== null))
  const now = positionOf(file)
  const shown = chosen ?? now

  async function save(place: Position | 'camera' | null) {
    const sent = place === null || place === 'camera' ? place : { latitude: place.latitude, longitude: place.longitude }
    const worked = await correct.run({ body: { fileIds: [...fileIds], place: sent } })
    if (worked && isMounted()) onClose()
  }

  function choose({ latitude, longitude, name, region }: FoundPlace) {
    setChosen({ latitude, longitude, name: region === null ? name : `${name}, ${region}` })
    setText('')
    map.current?.animateTo({ ...project(latitude, longitude), zoom: FOUND_ZOOM })
  }
  return (
    <Dialog open onOpenChange={open => open || onClose()} title={words.title({ count: fileIds.length })} large>
      <div className="place-dialog">
        <PlaceSearch text={text} onText={setText} onChoose={choose} />
        <div className="place-dialog-map">
          {extent !== undefined && (only === undefined || file !== undefined) && (
            <WorldMap
              ref={map}
              start={size =>
                now === undefined
                  ? viewOf(readBounds(extent.bounds ?? '-30,-40,60,65'), size)
                  : { ...project(now.latitude, now.longitude), zoom: FOUND_ZOOM }
              }
              markers={
                shown === undefined
                  ? []
                  : [{ key: 'chosen', latitude: shown.latitude, longitude: shown.longitude, content: <Pin /> }]
              }
              onSettle={() => {}}
              onPoint={(latitude, longitude) =>
                setChosen({ latitude: rounded(latitude), longitude: rounded(longitude) })
              }
            />
          )}
        </div>
        <p role="status" className="min-h-6 text-ink-soft text-small">
          {chosen === null ? words.hint : (chosen.name ?? formatCoordinates(chosen.latitude, chosen.longitude))}
        </p>
      </div>
      <DialogButtons>
        <Button onClick={onClose}>{words.cancel}</Button>
        {canUseCamera && <Button onClick={() => void save('camera')}>{words.camera}</Button>}
        {canClear && <Button onClick={() => void save(null)}>{words.clear}</Button>}
        <Button
          variant="primary"
          busy={correct.busy}
          disabled={chosen === null}
          onClick={() => chosen !== null && void save(chosen)}
        >
          {words.save}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** Where a single file is now. */
function positionOf(file: MediaFile | undefined): Position | undefined {
  if (file === undefined || file.latitude === null || file.longitude === null) return undefined
  return { latitude: file.latitude, longitude: file.longitude }
}

/** About 10 m: a click is not more exact. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4
}

function Pin() {
  return (
    <span className="place-pin">
      <MapPin aria-hidden="true" className="size-8" />
    </span>
  )
}

interface SearchProps {
  text: string
  onText: (text: string) => void
  onChoose: (place: FoundPlace) => void
}

function PlaceSearch({ text, onText, onChoose }: SearchProps) {
  const name = useDebounced(text.trim())
  const words = texts.correct
  const { data: found, isPlaceholderData } = useQuery({
    ...query(searchPlaces, { query: { name } }, words.searchFailed),
    enabled: name !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const shown = text.trim() === '' || name === '' ? undefined : found
  return (
    <form
      className="flex flex-col gap-1"
      onSubmit={event => {
        event.preventDefault()
        // Enter, typed before the answer for this text has arrived, must not choose another town.
        const first = name === text.trim() && !isPlaceholderData ? shown?.[0] : undefined
        if (first !== undefined) onChoose(first)
      }}
    >
      <SearchField
        label={words.search}
        placeholder={words.search}
        clearLabel={words.clearSearch}
        value={text}
        onChange={onText}
      />
      {shown !== undefined && (
        <ul aria-label={words.found} className="place-found">
          {shown.length === 0 && <li className="px-2 py-2 text-ink-soft">{words.nothing}</li>}
          {shown.map(place => (
            <li key={`${place.name} ${place.latitude} ${place.longitude}`}>
              <button type="button" className="place-line" onClick={() => onChoose(place)}>
                <MapPin aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
                <span className="wrap-anywhere min-w-0 text-left">
                  <bdi className="font-semibold">{place.name}</bdi>{' '}
                  {place.region !== null && <bdi className="text-ink-soft">{place.region}</bdi>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
