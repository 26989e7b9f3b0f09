import { useState } from 'react'
import { formatEdtf, parseEdtf } from '#contract/edtf.ts'
import { dateInWords } from '../media/date-words.ts'
import { SelectField } from '../ui/SelectField.tsx'
import { TextField } from '../ui/TextField.tsx'
import { texts } from './texts.ts'

interface Props {
  minutes: number
  onChange: (minutes: number) => void
  /** The date of the only file, for an example. */
  edtf: string | null
}

const units = { days: 24 * 60, hours: 60, minutes: 1 } as const
type Unit = keyof typeof units

/** By how much the clock of the camera was wrong. */
export function ShiftFields({ minutes, onChange, edtf }: Props) {
  const [sign, setSign] = useState<1 | -1>(1)
  const [values, setValues] = useState<Record<Unit, string>>({ days: '', hours: '', minutes: '' })

  function change(nextSign: 1 | -1, next: Record<Unit, string>) {
    setSign(nextSign)
    setValues(next)
    const sum = (Object.keys(units) as Unit[]).reduce((all, unit) => all + readNumber(next[unit]) * units[unit], 0)
    onChange(nextSign * sum)
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-soft text-small">{texts.shift.hint}</p>
      <div className="grid grid-cols-3 gap-2">
        {(Object.keys(units) as Unit[]).map(unit => (
          <TextField
            key={unit}
            label={texts.shift[unit]}
            inputMode="numeric"
            maxLength={5}
            placeholder="0"
            value={values[unit]}
            onChange={value => change(sign, { ...values, [unit]: value.replace(/\D/g, '') })}
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
      <p role="status" className="min-h-[3em] text-small">
        {example(edtf, minutes)}
      </p>
    </div>
  )
}

function readNumber(text: string): number {
  return text === '' ? 0 : Math.min(Number(text), 36_500)
}

function example(edtf: string | null, minutes: number): string | undefined {
  const date = edtf === null ? undefined : parseEdtf(edtf)
  if (date?.precision !== 'time' || edtf === null || minutes === 0) return undefined
  const moved = new Date(Date.parse(`${date.local}Z`) + minutes * 60_000).toISOString().slice(0, 19)
  return texts.shift.example(dateInWords(edtf, 'time'), dateInWords(formatEdtf({ ...date, local: moved }), 'time'))
}
