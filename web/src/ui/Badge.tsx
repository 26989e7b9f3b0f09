const positions = {
  /** On the corner of an icon in a `relative` box. */
  icon: '-top-2 -right-2.5',
  /** On the edge of a round button. */
  button: '-top-1 -right-1',
} as const

/** A number on a corner. Hidden from screen readers: the button's label includes it. */
export function Badge({ on, children }: { on: keyof typeof positions; children: string }) {
  return (
    <span
      aria-hidden="true"
      className={`absolute inline-flex h-5 min-w-5 items-center justify-center rounded-full border-2 border-paper bg-danger px-1 font-semibold text-[0.6875rem] text-danger-ink leading-none ${positions[on]}`}
    >
      {children}
    </span>
  )
}
