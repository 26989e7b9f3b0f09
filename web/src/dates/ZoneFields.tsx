import { useId, useMemo } from 'react'
import type { DateChange } from '#contract/dates.ts'
import { SelectField } from '../ui/SelectField.tsx'
import { texts } from './texts.ts'

type ZoneChange = Extract<DateChange, { kind: 'zone' }>

interface Props {
  value: ZoneChange
  onChange: (value: ZoneChange) => void
}

/** The time zone of this browser. */
export function homeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

export function ZoneFields({ value, onChange }: Props) {
  const name = useId()
  const zones = useMemo(() => {
    const known = new Set([value.zone, ...Intl.supportedValuesOf('timeZone')])
    return [...known].sort().map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }))
  }, [value.zone])
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label={texts.zone.label}
        value={value.zone}
        choices={zones}
        onChange={zone => onChange({ ...value, zone })}
      />
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
