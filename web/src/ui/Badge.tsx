/** A number on the corner of a button. The button's own label says it aloud. */
export function Badge({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="-top-1 -right-1 absolute inline-flex h-5 min-w-5 items-center justify-center rounded-full border-2 border-paper bg-danger px-1 font-semibold text-[11px] text-danger-ink leading-none"
    >
      {children}
    </span>
  )
}
