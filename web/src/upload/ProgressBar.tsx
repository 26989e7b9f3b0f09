interface Props {
  label: string
  /** From 0 to 1; null if unknown. */
  done: number | null
  size?: 'thin' | 'thick'
}

export function ProgressBar({ label, done, size = 'thin' }: Props) {
  const value = done === null ? undefined : Math.floor(done * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      className={`w-full overflow-hidden rounded-full bg-sunken ${size === 'thin' ? 'h-1' : 'h-2'}`}
    >
      <div
        className={`h-full origin-left rounded-full bg-accent motion-calm transition-transform ${done === null ? 'upload-unknown' : ''}`}
        style={{ transform: `scaleX(${done ?? 1})` }}
      />
    </div>
  )
}
