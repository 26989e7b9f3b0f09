import { type ComponentProps, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'className' | 'style' | 'id' | 'onChange' | 'value'> {
  label: string
  value: string
  onChange: (value: string) => void
}

export const fieldClass =
  'min-h-touch w-full rounded-control border border-edge bg-raised px-3 py-2 text-ink placeholder:text-ink-soft'

export function TextField({ label, value, onChange, ...rest }: Props) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold text-small">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        value={value}
        dir="auto"
        onChange={event => onChange(event.target.value)}
        className={fieldClass}
      />
    </div>
  )
}
