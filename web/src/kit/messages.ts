import { type Refusal, refusalInWords } from '#messages/errors.ts'
import { chooseLocale, chooseRegion, isLocale, type Locale } from '#messages/locales.ts'
import { createTexts } from '#messages/texts.ts'
import type { Messages } from '#messages/types.ts'

/** Kept on the device, so that the sign-in page is in the chosen language too. */
const STORED = 'language'

const wanted = globalThis.navigator?.languages ?? []

/** The language that the person chose on this device; undefined to follow the browser. */
export function storedLanguage(): Locale | undefined {
  const stored = globalThis.localStorage?.getItem(STORED)
  return isLocale(stored) ? stored : undefined
}

/** Takes effect when the page is loaded again; undefined to follow the browser. */
export function storeLanguage(language: Locale | undefined): void {
  if (language === undefined) localStorage.removeItem(STORED)
  else localStorage.setItem(STORED, language)
}

/** The language of the person's settings, on a device where they have chosen none. */
export function adoptLanguage(language: Locale): void {
  if (storedLanguage() !== undefined) return
  storeLanguage(language)
  if (language !== locale) window.location.reload()
}

export const locale = storedLanguage() ?? chooseLocale(wanted)
/** For dates and numbers: `en-GB` writes a day before its month, `en-US` after it. */
export const region = chooseRegion(locale, wanted)

// By this, screen readers choose a voice, and browsers offer no translation. Workers and tests have no document.
if (globalThis.document !== undefined) document.documentElement.lang = locale

/** All catalogues of a language other than English are one chunk. */
const loaders: Record<Exclude<Locale, 'en'>, () => Promise<{ default: Partial<Record<string, unknown>> }>> = {
  de: () => import('./locales/de.ts'),
}

/**
 * Awaited before any module that has texts is evaluated. English catalogues are imported by the features instead, so that
 * each is in the chunk that needs it.
 */
const loaded = locale === 'en' ? undefined : (await loaders[locale]()).default

/** The texts of a feature in the person's language. */
export function translated<Name extends keyof Messages>(name: Name, english: unknown): Messages[Name] {
  const catalogue = loaded?.[name] ?? english
  // types.ts is generated from these catalogues.
  return createTexts(catalogue as Parameters<typeof createTexts>[0], locale, region) as Messages[Name]
}

const refusals = loaded?.errors
  ? createTexts(loaded.errors as Parameters<typeof createTexts>[0], locale, region)
  : undefined

interface NamedSentence {
  key?: string | undefined
  values?: Refusal['values']
}

/** What the server says, in the person's language. English where this page lacks the message, as when the server is newer. */
export function saidByServer(english: string, { key, values }: NamedSentence): string {
  if (refusals === undefined || key === undefined) return english
  return refusalInWords(refusals, { key, values }) ?? english
}
