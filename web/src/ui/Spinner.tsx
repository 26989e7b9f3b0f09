const sizes = { small: 'size-4', large: 'size-8' } as const

/** Announced by screen readers if it has a label. */
export function Spinner({ size = 'large', label }: { size?: keyof typeof sizes; label?: string }) {
  const ring = (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="round"
      aria-hidden="true"
      className={`spin-calmly ${sizes[size]}`}
    >
      <circle cx="12" cy="12" r="9" stroke="currentColor" opacity="0.22" />
      <path d="M12 3a9 9 0 0 1 9 9" stroke="currentColor" />
    </svg>
  )
  if (label === undefined) return ring
  return (
    <div role="status" className="flex flex-col items-center gap-3 text-accent">
      {ring}
      <span className="sr-only">{label}</span>
    </div>
  )
}
