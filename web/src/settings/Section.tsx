import { type ReactNode, useId } from 'react'

/** A part of the settings, below its heading. */
export function Section({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="border-line border-b pb-2 font-semibold text-lead">
        {heading}
      </h2>
      {children}
    </section>
  )
}
