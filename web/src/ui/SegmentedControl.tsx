import type { ReactNode } from 'react'

interface Segment<Value extends string> {
  value: Value
  label: string
  icon: ReactNode
}

interface Props<Value extends string> {
  label: string
  value: Value
  segments: readonly Segment<Value>[]
  onChoose: (value: Value) => void
}

/** A choice between a few options, all visible. */
export function SegmentedControl<Value extends string>({ label, value, segments, onChoose }: Props<Value>) {
  return (
    <fieldset aria-label={label} className="inline-flex rounded-control border border-edge bg-raised">
      {segments.map(segment => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === value}
          aria-label={segment.label}
          title={segment.label}
          onClick={() => onChoose(segment.value)}
          className="inline-flex h-[42px] w-touch items-center justify-center rounded-[7px] text-ink-soft motion-quick transition-colors hover:text-ink aria-pressed:bg-accent-wash aria-pressed:text-accent-strong"
        >
          {segment.icon}
        </button>
      ))}
    </fieldset>
  )
}
