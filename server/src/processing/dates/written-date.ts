import { formatEdtf, parseEdtf } from '#contract/edtf.ts'
import { longMonths, plain, seasons, shortMonths } from './month-names.ts'

/** How a date is written where its numbers do not say it. */
type DayOrder = 'day first' | 'month first' | 'unknown'

/** In a name without accents: parts of words and numbers end at anything that is neither. */
const START = String.raw`(?<![\p{L}\d])`
const END = String.raw`(?![\p{L}\d])`
const YEAR = String.raw`(?<year>1[89]\d\d|20\d\d)${END}`
const GAP = String.raw`[\s._,-]{1,3}`
const OF = String.raw`(?:(?:of|de|del|di|van)\s)?`
const MONTH = `(?<month>${[...longMonths.keys()].join('|')})`
const ANY_MONTH = `(?<month>${[...new Set([...longMonths.keys(), ...shortMonths.keys()])].join('|')})`
const SEASON = `(?<season>${[...seasons.keys()].join('|')})`
const DAY = String.raw`(?<day>0?[1-9]|[12]\d|3[01])`
const TIME = String.raw`(?:,?[\s_T-]{1,3}(?:(?:at|um|a)\s)?(?<hour>[01]\d|2[0-3])[\s.:h_-](?<minute>[0-5]\d)[\s.:_-](?<second>[0-5]\d)(?!\d))?`
/** A counter after a date, or nothing. */
const COUNTER = String.raw`(?:[\s_-]{0,3}\(\d{1,3}\)|[\s_]\d{1,2})?$`

type Groups = Readonly<Record<string, string | undefined>>
type Reader = (groups: Groups, order: DayOrder) => string | undefined

/** The most exact first. */
const patterns: readonly [RegExp, Reader][] = [
  // 24.12.2019, Photo 02-01-2019, 12 34 56; no version (v1.2.2019), address (10.1.2012.5) or telephone number
  pattern(
    String.raw`(?<![\p{L}\d]|\d[.,_-]|version\s|release\s|build\s)(?<first>\d{1,2})(?<gap>[._-])(?<second_part>\d{1,2})\k<gap>(?<year>1[89]\d\d|20\d\d)(?![\p{L}\d]|\k<gap>\d)${TIME}`,
    numericDay,
  ),
  // 4 July 1976, 24. Dez. 1969, 14 de julio de 1976
  pattern(`${START}${DAY}(?:st|nd|rd|th|er|\\.)?[\\s._-]{0,3}${OF}${ANY_MONTH}${END}${GAP}${OF}${YEAR}`, calendar),
  // July 4, 1976
  pattern(`${START}${ANY_MONTH}${GAP}${DAY}(?:st|nd|rd|th)?${END}${GAP}${YEAR}`, calendar),
  // Dezember 1969, 1969 Dezember. Abbreviations are names of people, too.
  pattern(`${START}${MONTH}${GAP}${OF}${YEAR}`, calendar),
  pattern(`^${YEAR}${GAP}${MONTH}${END}`, calendar),
  // Sommer 1974, 1974 summer, Winter 1974-75
  pattern(`${START}${SEASON}${GAP}${OF}${YEAR}(?:-(?<end>\\d\\d|\\d{4})${END})?`, season),
  pattern(`^${YEAR}${GAP}${SEASON}${END}`, season),
  // 1960s, 1960er Jahre, in den 1960ern
  pattern(`${START}(?<decade>1[89][1-9]|20[12])0(?:'?s|ern?)${END}`, ({ decade }) => `${decade}X`),
  // ca. 1974, um das Jahr 1950
  pattern(
    `${START}(?:ca\\.?|circa|zirka|about|around|um(?:\\sdas\\sJahr)?|gegen|etwa|ungef(?:a|ae)hr|vers|hacia|verso|omstreeks)\\s${YEAR}`,
    ({ year }) => `${year}~`,
  ),
  // 03062017123: Nokia, with a counter
  pattern(String.raw`^(?<day>0[1-9]|[12]\d|3[01])(?<number>0[1-9]|1[0-2])(?<year>200[3-9]|201\d)\d{3}$`, calendar),
  // 1974
  pattern(`^${YEAR}$`, ({ year }) => year),
  // Oma 1974, 03 Oma im Garten 1974 (2), Oma 1974 im Garten
  pattern(
    String.raw`^(?:\d{1,3}[\s._-]{1,3})?(?<title>\p{L}[\p{L}\s.'&,+_-]{0,100}?)(?<gap>[\s_,-]{1,3})${YEAR}(?<rest>${COUNTER}|\s\p{L}.*$)`,
    titled,
  ),
]

function pattern(text: string, read: Reader): [RegExp, Reader] {
  return [new RegExp(text, 'iu'), read]
}

/** The date that a person has written into a name (without its ending), in EDTF. Undefined when in doubt. */
export function writtenDate(stem: string, homeTimeZone: string): string | undefined {
  const text = stem.normalize('NFD').replace(/\p{M}/gu, '')
  const order = dayOrder(text, homeTimeZone)
  for (const [expression, read] of patterns) {
    const match = expression.exec(text)
    const found = match && read(match.groups ?? {}, order)
    const date = found ? parseEdtf(found) : undefined
    if (date) return formatEdtf(date)
  }
  return undefined
}

const two = (value: string | number) => String(value).padStart(2, '0')

function numericDay({ first = '', gap, second_part: second = '', year = '', ...groups }: Groups, order: DayOrder) {
  const [a, b] = [Number(first), Number(second)]
  // Nobody writes a month before a dot.
  const isMonthFirst = gap !== '.' && (b > 12 || (a <= 12 && order === 'month first'))
  const isAmbiguous = gap !== '.' && order === 'unknown' && a <= 12 && b <= 12 && a !== b
  const day = `${year}-${two(isMonthFirst ? a : b)}-${two(isMonthFirst ? b : a)}`
  if (isAmbiguous) return parseEdtf(day) && year
  const { hour, minute, second: seconds } = groups
  return hour === undefined ? day : `${day}T${hour}:${minute}:${seconds}`
}

function calendar({ year, month = '', number, day }: Groups): string {
  const known = number ?? longMonths.get(plain(month)) ?? shortMonths.get(plain(month)) ?? 0
  return [year, two(known), ...(day === undefined ? [] : [two(day)])].join('-')
}

/** The winter of 1974/75 counts as that of 1975. */
function season({ year = '', season: name = '', end }: Groups): string | undefined {
  const known = seasons.get(plain(name)) ?? 1
  if (end === undefined) return `${year}-${20 + known}`
  const next = Number(year) + 1
  return known === 4 && String(next).endsWith(end) ? `${next}-24` : undefined
}

/** Words before a number that is no year, as devices, programs and people write them. */
const NUMBERED = new Set(
  `img image images imag pic pics pict picture photo photos foto fotos bild bilder scan scans scanned film file datei
  page seite pagina no nr num number nummer numero copy copie kopie room zimmer raum mov movie vid video clip track
  version ver build release rev revision frame screenshot screen shot id ref invoice rechnung order part teil vol volume
  band serial model modell type size iso untitled unbenannt unnamed export print slide slides dia dias negativ negative
  roll rolle doc document dokument capture cam camera kamera mvi gopro dji dsc dscn dscf lot card karte route highway bus
  flight flug train zug gate zip plz tel telefon phone telephone mobile handy fax call code pin windows office word excel
  powerpoint photoshop autocad msg message attachment anhang download temp tmp test sample item box kiste case rfc din
  fig figure abb tape kassette disc disk cd dvd chapter kapitel level score game peugeot boeing airbus article artikel`
    .split(/\s+/)
    .filter(Boolean),
)

/** Words after a number that is no year. */
const UNIT =
  /^\s(?:x|px|pixels?|p|k|fps|dpi|mm|cm|m|km|kg|g|ft|feet|miles|euros?|eur|usd|dollars?|chf|pcs|stuck|steps|meter|metres?|copy|copie|kopie|copia|edit(?:ed)?|img|dsc[nf]?|scan|mov|vid|version)(?!\p{L})/iu

function titled({ title = '', gap = '', year, rest = '' }: Groups): string | undefined {
  const last = title.split(/[^\p{L}]+/u).findLast(Boolean) ?? ''
  if (last.length < 2 || NUMBERED.has(plain(last)) || UNIT.test(rest)) return undefined
  // IMG_1974, PANO-1974: a counter of a device.
  const isPrefix = /^[A-Z]{2,5}$/.test(last) && /[_-]/.test(gap)
  return isPrefix || /^[a-f]{8,}$/i.test(title) ? undefined : year
}

/** Words of languages that write the day first. */
const DAY_FIRST =
  /(?<!\p{L})(?:vom|am|im|und|der|die|das|den|le|les|du|et|el|los|del|y|il|lo|di|dal|van|het|een|op|en)(?!\p{L})/iu

const MONTH_FIRST_ZONES =
  /^(?:US\/.*|America\/(?:New_York|Detroit|Kentucky\/.*|Indiana\/.*|Chicago|Menominee|North_Dakota\/.*|Denver|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|Metlakatla|Yakutat|Nome|Adak|Puerto_Rico)|Pacific\/(?:Honolulu|Guam|Saipan|Pago_Pago))$/

/** By the words of the name, else by the home of the family. A server in UTC does not say where that is. */
function dayOrder(text: string, homeTimeZone: string): DayOrder {
  if (DAY_FIRST.test(text)) return 'day first'
  if (MONTH_FIRST_ZONES.test(homeTimeZone)) return 'month first'
  return /^(?:Etc\/.*|UTC|GMT|Zulu|UCT|Universal)$/.test(homeTimeZone) ? 'unknown' : 'day first'
}
