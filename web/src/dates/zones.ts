import { dateFormat } from '../kit/format.ts'
import { locale, region as regionOfPage } from '../kit/messages.ts'

export interface Zone {
  /** In the IANA database: `Asia/Kolkata`. */
  id: string
  /** The town that it is named after. */
  name: string
  /** The country, or the region of a town that was searched for. */
  region: string | undefined
  /** The present difference to UTC: `UTC+5:30`. */
  offset: string
}

/** Browsers list zones under names that they had decades ago. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Asmara',
  'America/Coral_Harbour': 'Atikokan',
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Atlantic/Faeroe': 'Faroe',
  'Europe/Kiev': 'Kyiv',
  'Pacific/Enderbury': 'Kanton',
  'Pacific/Ponape': 'Pohnpei',
  'Pacific/Truk': 'Chuuk',
}

/** The time zone of this device. */
export function deviceZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

export function describeZone(id: string): Zone {
  return { ...nameZone(id), offset: offsetOf(id) }
}

function nameZone(id: string): Omit<Zone, 'offset'> {
  const name = renamed[id] ?? (id.split('/').at(-1) ?? id).replaceAll('_', ' ')
  const country = countries().get(id)
  return { id, name, region: country === undefined ? undefined : regionNames(locale).of(country) }
}

/** Null where this browser does not know the zone. */
export function zoneOfTown(name: string, region: string | null, id: string): Zone | null {
  try {
    return { id, name, region: region ?? undefined, offset: offsetOf(id) }
  } catch {
    // Intl throws for zones that it does not know.
    return null
  }
}

interface KnownZone {
  zone: Omit<Zone, 'offset'>
  words: readonly string[]
}

let known: readonly KnownZone[] | undefined

function allZones(): readonly KnownZone[] {
  // Intl leaves out the only one that is no place.
  known ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter(id => id !== 'UTC')].map(id => {
    const zone = nameZone(id)
    const country = countries().get(id)
    const english = country === undefined ? '' : (regionNames('en').of(country) ?? '')
    const texts = [zone.name, zone.region ?? '', english, country ?? '', id.replaceAll(/[/_]/g, ' ')]
    return { zone, words: texts.flatMap(text => plain(text).split(' ')) }
  })
  return known
}

const MOST = 50

/** Zones by town, country or difference to UTC, those first that are named exactly so. */
export function findZones(text: string): Zone[] {
  const wanted = plain(text)
    .split(' ')
    .filter(word => /[\p{L}\d]/u.test(word))
  if (wanted.length === 0) return []
  const start = wanted.join(' ')
  // Finding the offset of every zone takes long, so only where one is asked for.
  const byOffset = /^(?:utc|gmt|[+-]\d)/.test(start)
  return allZones()
    .map(({ zone, words }) => ({ zone, words: byOffset ? [...words, ...offsetWords(offsetOf(zone.id))] : words }))
    .filter(({ words }) => wanted.every(part => words.some(word => word.startsWith(part))))
    .map(found => ({ zone: found.zone, rank: rankOf(found, start) }))
    .sort((a, b) => a.rank - b.rank || a.zone.name.localeCompare(b.zone.name, regionOfPage))
    .slice(0, MOST)
    .map(({ zone }) => ({ ...zone, offset: offsetOf(zone.id) }))
}

function rankOf({ zone, words }: KnownZone, start: string): number {
  const name = plain(zone.name)
  if (name === start || plain(zone.region ?? '') === start) return 0
  return name.startsWith(start) ? 1 : words.includes(start) ? 2 : 3
}

/** "GMT+1" and "+1:00" are UTC+1, too. */
function offsetWords(offset: string): string[] {
  const size = plain(offset).slice('utc'.length)
  const whole = size === '' || size.includes(':') ? [] : [`${size}:00`]
  return [size, ...whole].flatMap(text => [text, `utc${text}`, `gmt${text}`]).filter(Boolean)
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('−', '-')
    .replaceAll(/[^\p{L}\d+:-]+/gu, ' ')
    .replace(/^(utc|gmt) (?=[+-])/, '$1')
    .replace(/([+-])0(\d)/, '$1$2')
    .trim()
}

function offsetOf(id: string): string {
  const format = dateFormat('en', { timeZone: id, timeZoneName: 'shortOffset' })
  const name = format.formatToParts(Date.now()).find(part => part.type === 'timeZoneName')?.value ?? ''
  return name.replace('GMT', 'UTC').replace('-', '−')
}

const names = new Map<string, Intl.DisplayNames>()

function regionNames(language: string): Intl.DisplayNames {
  const found = names.get(language) ?? new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  names.set(language, found)
  return found
}

/** The older and the newer name of the same list; Firefox has neither, and there zones are not found by country. */
interface LocaleWithZones {
  timeZones?: readonly string[]
  getTimeZones?: () => readonly string[] | undefined
}

let countryOfZone: Map<string, string> | undefined

function countries(): ReadonlyMap<string, string> {
  if (countryOfZone !== undefined) return countryOfZone
  countryOfZone = new Map()
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const country of letters.flatMap(first => letters.map(second => first + second))) {
    const locale = new Intl.Locale(`und-${country}`) as LocaleWithZones
    for (const zone of locale.getTimeZones?.() ?? locale.timeZones ?? []) {
      if (!countryOfZone.has(zone)) countryOfZone.set(zone, country)
    }
  }
  return countryOfZone
}
