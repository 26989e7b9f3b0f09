import { type DatePrecision, isPossibleClock, isPossibleYear, parseWallClock } from '#contract/metadata.ts'
import { writtenDate } from './written-date.ts'

export interface NameDate {
  /** `2019-10-31T17:35:58`; unknown parts are set to their first value. */
  readonly local: string
  readonly precision: DatePrecision
  /** In UTC rather than local time. */
  readonly utc: boolean
}

interface Pattern {
  readonly text: RegExp
  /** Undefined if the numbers are not a valid date; then the next pattern is tried. */
  read(groups: Readonly<Record<string, string>>, stem: string): NameDate | undefined
}

/** Words that follow a counter or a size rather than a year: "1999 copy", "1920 x 1080". */
const NOT_A_TITLE = String.raw`(?:copy|copie|kopie|kopia|copia|edit(?:ed)?|x|px|img|dsc[nf]?|pict|mov|vid|scan)(?!\p{L})`

const YEAR = String.raw`(?<year>1[89]\d\d|20\d\d)`
/** Compact dates are written by devices and programs: 18261231 is a serial number. */
const DEVICE_YEAR = String.raw`(?<year>19\d\d|20\d\d)`
const MONTH = `(?<month>0[1-9]|1[0-2])`
const DAY = String.raw`(?<day>0[1-9]|[12]\d|3[01])`
const HOUR = String.raw`(?<hour>[01]\d|2[0-3])`
const MINUTE = String.raw`(?<minute>[0-5]\d)`
const SECOND = String.raw`(?<second>[0-5]\d)`
const SPLIT = String.raw`[-_.:h\s]`
const AM_PM = String.raw`(?:\s?(?<half>[ap])\.?m\b)?`
/** macOS in Chinese, Japanese and Korean: "截屏2020-01-02 下午3.04.05". */
const AM_PM_BEFORE = String.raw`(?:(?<before>上午|下午|午前|午後|오전|오후)\s?)?`
const UTC = `(?<zulu>Z)?`
/** Between day and time: a separator, or a word of any language ("at", "um", "à"). */
const BETWEEN = String.raw`(?:\s+\p{L}{1,8}\s+|\s+-\s+|,\s*|[T_\s.-])`
/** Not in the middle of a hash or a serial number; letters may be in front (BURST2019…). */
const START = String.raw`(?<![\p{L}\d])(?:\p{L}+)?`
const END = String.raw`(?![\p{L}\d])`
const COMPACT_DAY = `${DEVICE_YEAR}${MONTH}${DAY}`
const SPLIT_DAY = String.raw`(?<!\d|\d[-.])${YEAR}(?<gap>[-_.:\s])${MONTH}\k<gap>${DAY}`
const COMPACT_TIME = `${HOUR}${MINUTE}${SECOND}`
const SHORT_HOUR = String.raw`(?<hour>[01]?\d|2[0-3])`

/** The most exact first. */
const patterns: readonly Pattern[] = [
  // IMG_20191031_173558, 20190101-123456, PXL_20210101_123456789 (with milliseconds), 20200102T101112Z
  {
    text: pattern(String.raw`(?<!\d)${COMPACT_DAY}[T_\s.-]${COMPACT_TIME}(?<fraction>\d{3})?${UTC}(?!\d)`),
    read: exact,
  },
  // BURST20190101123456, DJI_20200102101112_0001, 00100sPORTRAIT_00100_BURST20190101123456789_COVER
  { text: pattern(String.raw`${START}${COMPACT_DAY}${COMPACT_TIME}(?<fraction>\d{3})?${UTC}${END}`), read: exact },
  // WIN_20190101_12_34_56_Pro, 20190101 12.34.56
  {
    text: pattern(String.raw`(?<!\d)${COMPACT_DAY}${BETWEEN}${HOUR}${SPLIT}${MINUTE}${SPLIT}${SECOND}${UTC}(?!\d)`),
    read: exact,
  },
  // Screenshot_2020-01-02-10-11-12, 2019-01-01 12.34.56, WhatsApp Image 2020-01-02 at 3.04.05 PM, 2020_01_02T10_11_12_123Z
  {
    text: pattern(
      String.raw`${SPLIT_DAY}${BETWEEN}${AM_PM_BEFORE}${SHORT_HOUR}${SPLIT}${MINUTE}${SPLIT}${SECOND}(?!\d)${AM_PM}(?:[._-]\d{3}(?=Z))?${UTC}`,
    ),
    read: exact,
  },
  // signal-2020-01-02-101112
  { text: pattern(String.raw`${SPLIT_DAY}${BETWEEN}${COMPACT_TIME}(?<fraction>\d{3})?${UTC}(?!\d)`), read: exact },
  // Photo on 2012-01-01 at 12.34
  {
    text: pattern(String.raw`${SPLIT_DAY}\s+\p{L}{1,8}\s+${SHORT_HOUR}[-.:h]${MINUTE}(?![-.:]?\d)${AM_PM}`),
    read: exact,
  },
  // photo_1@15-08-2020_12-30-45: the export of Telegram. In other names day and month cannot be distinguished.
  { text: pattern(String.raw`@${DAY}-${MONTH}-${YEAR}_${HOUR}-${MINUTE}-${SECOND}(?!\d)`), read: exact },
  // VID00003-20100701-2204: BlackBerry. In other names four digits are a counter.
  { text: pattern(String.raw`^(?:IMG|VID)\d{5}-${COMPACT_DAY}-${HOUR}${MINUTE}(?!\d)`), read: exact },
  // IMG-20190101-WA0001, 20190101, WP_20130101_001
  { text: pattern(`${START}${COMPACT_DAY}${END}`), read: wholeDay },
  // 2019-01-01, Scan 1985.07.12 03
  { text: pattern(String.raw`${SPLIT_DAY}(?!\d)`), read: wholeDay },
  // FB_IMG_1577934000000, mmexport1577934000000, 1577934000000-edited
  {
    text: /^(?:(?:FB_)?IMG[_-]?|VID[_-]?|(?:image|photo|video|screenshot|beauty|camera)[_-]?|mmexport|wx_camera_)?(?<digits>\d{13})(?![\p{L}\d])/iu,
    read: epoch,
  },
  // RPReplay_Final1577934000, 1577934000, 1577934000(1)
  { text: /^(?:RPReplay_Final)?(?<digits>\d{10})(?:\s?\(\d+\)|[_~-]\d{1,3})?$/i, read: epoch },
  // 1985-07 Cornwall 03
  { text: pattern(String.raw`^${YEAR}-${MONTH}(?![\p{L}\d]|[-_.]\d)`), read: wholeMonth },
  // 1985 Cornwall
  { text: pattern(String.raw`^${YEAR},?\s(?:[-–]\s)?(?!${NOT_A_TITLE})\p{L}`), read: wholeYear },
]

function pattern(text: string): RegExp {
  return new RegExp(text, 'iu')
}

/** The 20190101 of 20190101-4a3b-… is no date but the beginning of a UUID. */
const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/i

/** The date in a file name, as written by phones, messengers and programs. Undefined when in doubt. */
export function dateFromName(name: string): NameDate | undefined {
  const stem = stemOf(name)
  if (UUID.test(stem)) return undefined
  for (const { text, read } of patterns) {
    const match = text.exec(stem)
    const found = match && read(match.groups ?? {}, stem)
    if (found) return found
  }
  return undefined
}

/** The date in a file name as people write it, in EDTF. Undefined when in doubt. */
export function dateWrittenInName(name: string, homeTimeZone: string): string | undefined {
  const stem = stemOf(name)
  return UUID.test(stem) ? undefined : writtenDate(stem, homeTimeZone)
}

function stemOf(name: string): string {
  return name.normalize('NFC').replace(/\.(?=\d?\p{L})[\p{L}\d]{1,5}$/u, '')
}

function exact(groups: Readonly<Record<string, string>>, stem: string): NameDate | undefined {
  const { year, month, day, minute, second = '00', fraction, before, half = before && halves[before] } = groups
  const hour = hourOfDay(Number(groups.hour), half)
  if (hour === undefined) return undefined
  const time = `${String(hour).padStart(2, '0')}:${minute}:${second}${fraction ? `.${fraction}` : ''}`
  // Pixel phones name their files in UTC.
  const utc = groups.zulu !== undefined || /^PXL_/i.test(stem)
  return checked(`${year}-${month}-${day}T${time}`, 'time', utc)
}

const halves: Readonly<Record<string, 'a' | 'p'>> = {
  上午: 'a',
  午前: 'a',
  오전: 'a',
  下午: 'p',
  午後: 'p',
  오후: 'p',
}

function hourOfDay(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

function wholeDay({ year, month, day }: Readonly<Record<string, string>>): NameDate | undefined {
  return checked(`${year}-${month}-${day}T00:00:00`, 'day')
}

function wholeMonth({ year, month }: Readonly<Record<string, string>>): NameDate | undefined {
  return isPossibleYear(Number(year))
    ? { local: `${year}-${month}-01T00:00:00`, precision: 'month', utc: false }
    : undefined
}

function wholeYear({ year }: Readonly<Record<string, string>>): NameDate | undefined {
  return isPossibleYear(Number(year)) ? { local: `${year}-01-01T00:00:00`, precision: 'year', utc: false } : undefined
}

/** Earlier numbers are counters or phone numbers: devices that use such names are newer. */
const OLDEST_EPOCH = Date.UTC(2005, 0)
const COUNTED_UP = /^(?:1234567890|(\d)\1+$)/

function epoch({ digits = '' }: Readonly<Record<string, string>>): NameDate | undefined {
  const moment = Number(digits) * (digits.length === 10 ? 1_000 : 1)
  if (moment < OLDEST_EPOCH || COUNTED_UP.test(digits)) return undefined
  return checked(new Date(moment).toISOString().slice(0, -1), 'time', true)
}

/** Rejects 31 February, and years before photography or after the next one. */
function checked(text: string, precision: DatePrecision, utc = false): NameDate | undefined {
  const clock = parseWallClock(text)
  const isKnown = clock && isPossibleClock(clock) && clock.local !== '1970-01-01T00:00:00'
  return isKnown ? { local: clock.local, precision, utc } : undefined
}
