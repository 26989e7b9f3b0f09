import { Combobox } from '@base-ui/react/combobox'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { DateChange } from '#contract/dates.ts'
import { searchPlaces } from '#contract/places.ts'
import { query } from '../kit/queries.ts'
import { useDebounced } from '../ui/hooks.ts'
import { fieldClass } from '../ui/TextField.tsx'
import { texts } from './texts.ts'
import { describeZone, deviceZone, findZones, type Zone, zoneOfTown } from './zones.ts'

type ZoneChange = Extract<DateChange, { kind: 'zone' }>

interface Props {
  value: ZoneChange
  onChange: (value: ZoneChange) => void
  /** The time zone of the library, once it is known. */
  home: string | undefined
}

/** The time zone of the place where it was taken, and what was right: the clock or the moment. */
export function ZoneFields({ value, onChange, home }: Props) {
  const name = useId()
  return (
    <div className="flex flex-col gap-3">
      <ZoneField zone={value.zone} onChoose={zone => onChange({ ...value, zone })} home={home} />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 font-semibold text-small">{texts.zone.keep}</legend>
        {(['clock', 'moment'] as const).map(keep => (
          <label key={keep} className="flex min-h-touch items-center gap-2 text-small">
            <input
              type="radio"
              name={name}
              checked={value.keep === keep}
              onChange={() => onChange({ ...value, keep })}
              className="size-5 shrink-0 accent-accent"
            />
            {texts.zone[keep]}
          </label>
        ))}
      </fieldset>
    </div>
  )
}

interface FieldProps {
  zone: string
  onChoose: (zone: string) => void
  home: string | undefined
}

function ZoneField({ zone: initial, home, onChoose }: FieldProps) {
  const id = useId()
  const [device] = useState(() => describeZone(deviceZone()))
  const [chosen, setChosen] = useState<Zone>(() => describeZone(initial))
  const [typed, setTyped] = useState('')
  const towns = useTowns(typed)
  const found = typed.trim() === '' ? firstZones(home, device) : withoutRepeats([...findZones(typed), ...towns])
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold text-small">
        {texts.zone.label}
      </label>
      <Combobox.Root
        items={found}
        filter={null}
        autoHighlight
        value={chosen}
        itemToStringLabel={nameOf}
        isItemEqualToValue={(a, b) => keyOf(a) === keyOf(b)}
        onInputValueChange={(text, { reason }) => setTyped(reason === 'input-change' ? text : '')}
        onValueChange={zone => {
          if (zone === null) return
          setChosen(zone)
          onChoose(zone.id)
        }}
      >
        <Combobox.Input
          id={id}
          placeholder={texts.zone.placeholder}
          maxLength={60}
          dir="auto"
          // A new name is typed in place of the chosen one.
          onFocus={event => event.currentTarget.select()}
          className={fieldClass}
        />
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={4} collisionPadding={8} className="z-50">
            <Combobox.Popup className="popup max-h-[min(20rem,var(--available-height))] w-(--anchor-width) overflow-y-auto p-1">
              <Combobox.Empty className="px-3 text-ink-soft text-small [&:not(:empty)]:py-2">
                {texts.zone.none}
              </Combobox.Empty>
              <Combobox.List aria-label={texts.zone.found}>
                {(zone: Zone) => (
                  <Combobox.Item
                    key={keyOf(zone)}
                    value={zone}
                    className="flex min-h-touch cursor-pointer select-none items-center justify-between gap-3 rounded-control px-3 py-1 data-highlighted:bg-sunken"
                  >
                    <span className="min-w-0">
                      <bdi className="block truncate">{nameOf(zone)}</bdi>
                      {typed.trim() === '' && (
                        <span className="block text-fine text-ink-soft">
                          {zone.id === home ? texts.zone.home : texts.zone.device}
                        </span>
                      )}
                    </span>
                    <span className="shrink-0 text-ink-soft text-small tabular-nums">{zone.offset}</span>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </div>
  )
}

function firstZones(home: string | undefined, device: Zone): Zone[] {
  return home === undefined || home === device.id ? [device] : [describeZone(home), device]
}

function nameOf({ name, region }: Zone): string {
  return region === undefined ? name : `${name}, ${region}`
}

function keyOf(zone: Zone): string {
  return `${zone.id} ${nameOf(zone)}`
}

function withoutRepeats(zones: readonly Zone[]): Zone[] {
  return [...new Map(zones.map(zone => [keyOf(zone), zone])).values()]
}

/** Most people live in a town that no time zone is named after. */
function useTowns(typed: string): Zone[] {
  const name = useDebounced(typed.trim())
  const { data } = useQuery({
    ...query(searchPlaces, { query: { name } }),
    enabled: name !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (name === '' || data === undefined) return []
  return data.flatMap(({ name: town, region, zone }) => (zone === null ? [] : (zoneOfTown(town, region, zone) ?? [])))
}
