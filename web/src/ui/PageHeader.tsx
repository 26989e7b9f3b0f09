export function PageHeader({ heading, subtitle }: { heading: string; subtitle: string }) {
  return (
    <header className="mb-5 flex flex-col gap-1 sm:mb-8">
      <h1 className="font-semibold text-heading sm:text-title">{heading}</h1>
      <p className="text-ink-soft">{subtitle}</p>
    </header>
  )
}
