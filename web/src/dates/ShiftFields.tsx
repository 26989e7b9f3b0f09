import { useState } from 'react'
import { SelectField } from '../ui/SelectField.tsx'
import { TextField } from '../ui/TextField.tsx'
import { texts } from './texts.ts'

/** How far dates are off. */
export interface Shift {
  months: number
  minutes: number
}

interface Props {
  onChange: (shift: Shift) => void
}

const inMonths = { years: 12, months: 1 } as const
const inMinutes = { days: 24 * 60, hours: 60, minutes: 1 } as const
const units = { ...inMonths, ...inMinutes }
type Unit = keyof typeof units

const nothing: Record<Unit, string> = { years: '', months: '', days: '', hours: '', minutes: '' }

/** By how much the clock of the camera was wrong. */
export function ShiftFields({ onChange }: Props) {
  const [sign, setSign] = useState<1 | -1>(1)
  const [values, setValues] = useState(nothing)

  function change(nextSign: 1 | -1, next: Record<Unit, string>) {
    setSign(nextSign)
    setValues(next)
    const sum = (of: Partial<Record<Unit, number>>) => {
      const parts = (Object.keys(of) as Unit[]).map(unit => readNumber(next[unit]) * units[unit])
      // Not -0, which is another number.
      return nextSign * Math.round(parts.reduce((all, part) => all + part, 0)) || 0
    }
    onChange({ months: sum(inMonths), minutes: sum(inMinutes) })
  }
  /** "-1" is an hour earlier, and "1.5" an hour and a half. */
  function type(unit: Unit, value: string) {
    change(/[-−]/.test(value) ? -1 : sign, { ...values, [unit]: value.replace(/[^\d.,]/g, '') })
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-soft text-small">{texts.shift.hint}</p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.5rem),1fr))] gap-2">
        {(Object.keys(units) as Unit[]).map(unit => (
          <TextField
            key={unit}
            label={texts.shift[unit]}
            inputMode="decimal"
            maxLength={5}
            placeholder="0"
            value={values[unit]}
            onChange={value => type(unit, value)}
          />
        ))}
      </div>
      <SelectField
        label={texts.shift.direction}
        value={String(sign)}
        choices={[
          { value: '1', label: texts.shift.later },
          { value: '-1', label: texts.shift.earlier },
        ]}
        onChange={value => change(value === '1' ? 1 : -1, values)}
      />
    </div>
  )
}

function readNumber(text: string): number {
  const number = Number(text.replace(',', '.'))
  // While "1.5.2" is typed it is no number.
  return Number.isNaN(number) ? 0 : Math.min(number, 36_500)
}
