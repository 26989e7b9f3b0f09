import { z } from 'zod'
import { BoundsInText } from './bounds.ts'
import { IdInText, inText, Moment } from './common.ts'
import { parseEdtf } from './edtf.ts'
import { FileType } from './media.ts'
import { refusal } from './refusal.ts'

/** The moments of the filter `added`, in epoch milliseconds. Undefined for any other text. */
export function readMoments(text: string): { first: number; last: number } | undefined {
  const moments = text.split('/').map(part => Moment.safeParse(part).data)
  const [first, last] = moments
  if (moments.length !== 2 || first === undefined || last === undefined) return undefined
  return { first: Date.parse(first), last: Date.parse(last) }
}

/**
 * The filters of the lists of files. The parameters of the API, what a smart album stores and the parameters of the
 * gallery's URL are derived from these tables; `conditions` in `server/src/media/filter.sql.ts` has the SQL of each, and
 * `filterLabels` in `web/src/gallery/filter-labels.ts` how it is shown.
 */
interface FilterRow {
  schema: z.ZodType
  /** Its name in the gallery's URL, where it is another one; null: it is not part of the query. */
  urlParam?: string | null
  /** What its value is the id of. */
  refersTo?: Reference
  /** Whether it says where files are. Another value shows another list, rather than another part of the same one. */
  isPlace?: true
}

export type Reference = 'folder' | 'tag' | 'person'

/** Those that find the same files for everybody, so that a smart album can store them. */
const sharedFilters = {
  folder_id: {
    schema: z.union([z.literal('root'), IdInText]).describe('Absent: every folder; `root`: in no folder'),
    urlParam: 'folder',
    refersTo: 'folder',
    isPlace: true,
  },
  search: {
    schema: z
      .string()
      .trim()
      .max(200)
      .describe('Files with all these words; where they name a date (`summer 1974`, `the 60s`), also those from then'),
  },
  type: { schema: FileType },
  place: { schema: z.string().min(1).max(500).describe('Exactly this `location`') },
  area: {
    schema: z
      .string()
      .min(1)
      .max(500)
      .describe('The last parts of `location`: `Norway`, or `London, United Kingdom` with all its quarters'),
  },
  tag: { schema: IdInText.describe('The id of a tag'), refersTo: 'tag' },
  camera: { schema: z.string().min(1).max(500).describe('Exactly this camera') },
  year: {
    schema: inText(z.number().int().min(1).max(9999)).describe(
      'From this year, or from a decade or a time between two dates that it is part of',
    ),
  },
  date: {
    schema: z
      .union([
        z.string().regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2]|2[1-4])$/),
        z.iso.date(),
        z.string().regex(/^(?!000)\d{3}X$/),
        z
          .string()
          .max(60)
          .refine(text => parseEdtf(text)?.precision === 'interval', refusal('dates.noInterval')),
      ])
      .describe(
        'Known to be from this day, month, season, decade or time between two dates: 2019-05-12, 2019-05, 1974-22, 196X, 1964/1970 or ../1938',
      ),
  },
  uploader: { schema: IdInText.describe('The id of a person'), refersTo: 'person' },
  added: {
    schema: z
      .string()
      .max(60)
      .refine(text => readMoments(text) !== undefined, refusal('dates.noInterval'))
      .describe('Added between two moments, both included: 2026-11-18T09:00:00Z/2026-11-18T17:30:00Z'),
  },
  hearted_by: {
    schema: IdInText.describe('The id of a person: only what they love'),
    refersTo: 'person',
    isPlace: true,
  },
  bounds: { schema: BoundsInText, isPlace: true },
  undated: { schema: z.enum(['true']).describe('Only files whose date is not known'), isPlace: true },
} as const satisfies Record<string, FilterRow>

/** Those whose files depend on who asks. */
const personalFilters = {
  memory: { schema: z.iso.date().describe('What `GET /api/memories` counts of this day') },
  new_since: { schema: Moment.describe('Only what others than the caller have added after this') },
} as const satisfies Record<string, FilterRow>

const filters = {
  ...sharedFilters,
  ...personalFilters,
  album: { schema: IdInText.describe('The id of an album'), urlParam: null, isPlace: true },
} as const satisfies Record<string, FilterRow>

type Shape<Rows extends Record<string, FilterRow>> = { [Name in keyof Rows]: z.ZodOptional<Rows[Name]['schema']> }

function shapeOf<Rows extends Record<string, FilterRow>>(rows: Rows): Shape<Rows> {
  const shape = Object.entries(rows).map(([name, { schema }]) => [name, schema.optional()])
  return Object.fromEntries(shape)
}

export const SharedFilter = z.object(shapeOf(sharedFilters))
export type SharedFilter = z.infer<typeof SharedFilter>

const PersonalFilter = z.object(shapeOf(personalFilters))
export type PersonalFilter = z.infer<typeof PersonalFilter>

/** Which files a list shows. */
export const MediaFilter = z.object(shapeOf(filters))
export type MediaFilter = z.infer<typeof MediaFilter>

export type FilterName = keyof MediaFilter

const rows: Record<FilterName, FilterRow> = filters

export const filterNames = Object.keys(filters) as FilterName[]

/** The filters that narrow a list down. An empty search does not. */
export function givenFilters(filter: MediaFilter): FilterName[] {
  return filterNames.filter(name => filter[name] !== undefined && filter[name] !== '')
}

export function isPersonal(filter: MediaFilter): boolean {
  return givenFilters(filter).some(name => name in personalFilters)
}

/** Whether two filters show the same place, each with filters of its own. */
export function isSamePlace(a: MediaFilter, b: MediaFilter): boolean {
  return filterNames.every(name => !rows[name].isPlace || a[name] === b[name])
}

/** The filters that have an id as their value, with what it is the id of and the name of the parameter. */
export const references = filterNames.flatMap(name => {
  const { refersTo, urlParam } = rows[name]
  return refersTo ? [{ name: name as ReferringFilter, refersTo, param: urlParam ?? name }] : []
})

type ReferringFilter = {
  [Name in keyof typeof filters]: (typeof filters)[Name] extends { refersTo: Reference } ? Name : never
}[keyof typeof filters]

/** From the parameters of the gallery's URL. Values that the API would refuse are left out. */
export function readFilterParams(params: { get: (name: string) => string | null }): MediaFilter {
  const entries = filterNames.flatMap(name => {
    const { schema, urlParam = name } = rows[name]
    const text = urlParam === null ? null : params.get(urlParam)
    const value = text?.trim() ? schema.safeParse(text).data : undefined
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}

/** As parameters of the gallery's URL, in the order of the tables. */
export function writeFilterParams(filter: MediaFilter): [name: string, value: string][] {
  return givenFilters(filter).flatMap((name): [string, string][] => {
    const { urlParam = name } = rows[name]
    return urlParam === null ? [] : [[urlParam, String(filter[name])]]
  })
}
