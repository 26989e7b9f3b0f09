import { usePageTitle } from '../kit/page-title.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { iphoneTexts as texts } from './texts.ts'

const parts = ['options', 'live', 'originals', 'share'] as const

/** What iPhones do to photos before a website gets them. Public: it says nothing about the library. */
export function IphonePage() {
  usePageTitle(texts.page)
  return (
    <div className="flex max-w-prose flex-col gap-6">
      <PageHeader heading={texts.page} subtitle={texts.intro} />
      {parts.map(part => (
        <section key={part}>
          <h2 className="mb-2 font-semibold text-heading">{texts[part].heading}</h2>
          <p className="text-ink-soft">{texts[part].text}</p>
        </section>
      ))}
    </div>
  )
}
