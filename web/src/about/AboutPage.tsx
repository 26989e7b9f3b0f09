import build from 'virtual:licences'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { usePageTitle } from '../kit/page-title.ts'
import { useAppSettings } from '../kit/settings.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { byLicence, creditsOf } from './licences.ts'
import { texts } from './texts.ts'

const licenceHref = 'https://www.gnu.org/licenses/agpl-3.0.html'
const placesHref = 'https://creativecommons.org/licenses/by/4.0/'

/** Version, licence and credits. Public: it reveals nothing about the library. */
export function AboutPage() {
  usePageTitle(texts.page)
  const settings = useAppSettings()
  return (
    <div className="flex max-w-4xl flex-col gap-10">
      <section>
        <PageHeader heading={texts.heading} subtitle={texts.subtitle} />
        <dl className="mb-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-px overflow-hidden rounded-card border border-line bg-line">
          <Fact label={texts.version}>{build.version}</Fact>
          <Fact label={texts.licence}>
            <TextLink href={licenceHref}>{build.licence}</TextLink>
          </Fact>
        </dl>
        <p className="max-w-prose text-ink-soft">{texts.software(settings)}</p>
        <Link
          to="/iphone"
          className="inline-flex min-h-touch items-center font-semibold text-accent underline-offset-4 hover:underline"
        >
          {texts.iphone}
        </Link>
      </section>
      <section>
        <h2 className="mb-3 font-semibold text-heading">{texts.credits.heading}</h2>
        <p className="mb-5 max-w-prose text-ink-soft">
          {texts.credits.places} <TextLink href={placesHref}>CC BY 4.0</TextLink>
        </p>
        <ul className="divide-y divide-line rounded-card border border-line bg-raised">
          {creditsOf(build).map(credit => (
            <li
              key={credit.package ?? credit.name}
              className="wrap-anywhere flex flex-wrap items-baseline gap-x-3 px-4 py-3 sm:px-6"
            >
              <TextLink href={credit.href}>{credit.name}</TextLink>
              <span className="mr-auto text-ink-soft">{texts.credits.uses[credit.use]}</span>
              <span className="text-small text-ink-soft">{credit.licence}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2 className="mb-3 font-semibold text-heading">{texts.packages.heading}</h2>
        <p className="mb-5 max-w-prose text-ink-soft">{texts.packages.text({ count: build.packages.length })}</p>
        <div className="divide-y divide-line rounded-card border border-line bg-raised">
          {byLicence(build).map(({ licence, packages }) => (
            <details key={licence} className="group">
              <summary className="flex min-h-touch cursor-pointer list-none flex-wrap items-center gap-x-3 px-4 py-3 sm:px-6 [&::-webkit-details-marker]:hidden">
                <ChevronDown aria-hidden="true" className="size-4 text-ink-soft group-open:rotate-180" />
                <span className="mr-auto font-semibold">{licence}</span>
                <span className="text-small text-ink-soft">{texts.packages.count({ count: packages.length })}</span>
              </summary>
              <ul className="gap-x-8 px-4 pb-4 text-small text-ink-soft sm:columns-2 sm:px-6 lg:columns-3">
                {packages.map(({ name, versions }) => (
                  <li key={name} className="wrap-anywhere break-inside-avoid py-0.5">
                    {name} {versions.join(', ')}
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </div>
      </section>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="wrap-anywhere bg-raised px-4 py-4 sm:px-6">
      <dt className="text-small text-ink-soft">{label}</dt>
      <dd className="font-semibold text-lead">{children}</dd>
    </div>
  )
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="font-semibold text-accent underline underline-offset-4">
      {children}
    </a>
  )
}
