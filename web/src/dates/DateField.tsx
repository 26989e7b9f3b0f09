import { type Ref, useId } from 'react'
import { UNKNOWN_DATE } from '#contract/edtf.ts'
import { problemWith, readDate } from '#contract/read-date.ts'
import { dateReader } from '../media/date-reader.ts'
import { dateInWords, spanInWords } from '../media/date-words.ts'
import { fieldClass } from '../ui/TextField.tsx'
import { texts } from './texts.ts'

interface Props {
  value: string
  onChange: (value: string) => void
  ref?: Ref<HTMLInputElement>
  /** Without the explanation, where there is little room. */
  terse?: boolean
}

/** A date as people say it, and below it what was understood. */
export function DateField({ value, onChange, ref, terse = false }: Props) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold text-small">
        {texts.set.label}
      </label>
      <input
        ref={ref}
        id={id}
        value={value}
        maxLength={60}
        autoComplete="off"
        enterKeyHint="done"
        placeholder={texts.set.example}
        aria-describedby={`${id}-understood`}
        onChange={event => onChange(event.target.value)}
        className={fieldClass}
      />
      {/* As high as two lines, so that nothing below it moves while somebody types. */}
      <p id={`${id}-understood`} role="status" className="min-h-[3em] text-small">
        <Understood typed={value} terse={terse} />
      </p>
    </div>
  )
}

function Understood({ typed, terse }: { typed: string; terse: boolean }) {
  if (typed.trim() === '') return terse ? null : <span className="text-ink-soft">{texts.set.hint}</span>
  const edtf = readDate(typed, dateReader)
  if (edtf === undefined) return <span className="text-ink-soft">{explain(typed)}</span>
  if (edtf === UNKNOWN_DATE) return texts.set.undated
  const span = spanInWords(edtf)
  return (
    <>
      <strong className="font-semibold">{dateInWords(edtf, 'time')}</strong>
      {span !== undefined && ` ${texts.set.span({ span })}`}
    </>
  )
}

function explain(typed: string): string {
  const problem = problemWith(typed, dateReader)
  if (problem.kind === 'future') return texts.set.future
  if (problem.kind === 'no such day') return texts.set.noSuchDay
  return problem.kind === 'more than a year' ? texts.set.onlyYear({ year: problem.year }) : texts.set.notUnderstood
}
