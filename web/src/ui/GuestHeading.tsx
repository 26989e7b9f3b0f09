import { Logo } from './Logo.tsx'

/** The title of a page for guests, below the name of the library. */
export function GuestHeading({ library, title }: { library: string; title: string }) {
  return (
    <>
      <p className="mb-1 flex items-center gap-2 text-ink-soft text-small">
        <Logo className="size-5 shrink-0" />
        <bdi>{library}</bdi>
      </p>
      <h1 className="font-semibold text-heading leading-tight" dir="auto">
        {title}
      </h1>
    </>
  )
}
