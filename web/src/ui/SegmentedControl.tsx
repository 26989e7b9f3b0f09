import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
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

/** A choice between a few ways to see the same thing, all in sight. */
export function SegmentedControl<Value extends string>({ label, value, segments, onChoose }: Props<Value>) {
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      onValueChange={chosen => {
        const next = segments.find(segment => segment.value === chosen[0])
        if (next !== undefined) onChoose(next.value)
      }}
      className="inline-flex rounded-control border border-edge bg-raised"
    >
      {segments.map(segment => (
        <Toggle
          key={segment.value}
          value={segment.value}
          aria-label={segment.label}
          title={segment.label}
          className="inline-flex h-[42px] w-touch items-center justify-center rounded-[7px] text-ink-soft motion-quick transition-colors hover:text-ink data-pressed:bg-accent-wash data-pressed:text-accent-strong"
        >
          {segment.icon}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
