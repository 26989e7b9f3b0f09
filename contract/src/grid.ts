import { z } from 'zod'
import { Id, inText } from './common.ts'
import { endpoint } from './endpoint.ts'
import type { FileType, MediaStatus } from './media.ts'
import { MediaOrder } from './media-list.ts'
import { ratioOf } from './proportions.ts'

/** What a tile shows, in a form that takes few bytes; `readGrid` unpacks it. */
const GridTuple = z.tuple([
  Id,
  z.string().describe('Its name'),
  z.number().int().nonnegative().describe('Index in `days`'),
  z.string().length(1).describe('Its proportion, as in the timeline'),
  z.number().int().nonnegative().describe('Flags, as bits: `gridFlags`'),
  z.number().int().nonnegative().describe("The original's size in bytes"),
  z.string().nullable().describe('Thumbhash (base64)'),
  z
    .string()
    .nullable()
    .describe(
      'Path below `thumbnails.base`: the first * stands for the name without its ending if there are two, the last one for `thumbnail` or `mobile`; null where there are no pictures yet',
    ),
  z.number().int().nonnegative().nullable().describe('Index in `places`'),
  z
    .object({
      duration: z.number().optional(),
      progress: z.number().int().optional(),
      failure_reason: z.string().optional(),
      hearts: z.number().int().positive().optional().describe('How many people love it'),
      edtf: z.string().optional().describe('Its date in EDTF, where `days` has only its heading'),
      mobile: z.string().optional().describe('Path of the 800 px picture, where the pattern does not give it'),
    })
    .optional(),
])
export type GridTuple = z.infer<typeof GridTuple>

export const gridFlags = {
  video: 1,
  live: 2,
  animated: 4,
  partlyDamaged: 8,
  processing: 16,
  failed: 32,
  hearted: 64,
} as const

export const Grid = z.object({
  files: z.array(GridTuple),
  days: z.array(z.string()),
  places: z.array(z.string()),
  thumbnails: z.object({
    base: z.string(),
    query: z.string().describe('Signature for all pictures of grids, without originals and larger sizes'),
    signatures: z
      .array(z.tuple([z.string(), z.string()]).nullable())
      .nullable()
      .describe('Of the thumbnail and the 800 px picture of each file, to append, where the store signs each object'),
  }),
})
export type Grid = z.infer<typeof Grid>

const DayKey = inText(z.number().min(-10_000_000).max(10_000_000))

export const GridQuery = MediaOrder.extend({
  from: DayKey.optional().describe('Only days from this key of the timeline on'),
  to: DayKey.optional().describe('Only days up to and including this key'),
  offset: inText(z.number().int().min(0).max(10_000_000)).default(0).describe('How many files to skip'),
  limit: inText(z.number().int().min(1).max(1_000)).default(200),
})
export type GridQuery = z.infer<typeof GridQuery>

export const mediaGrid = endpoint({
  method: 'GET',
  path: '/api/media/grid',
  summary: 'A page of the files that match, with what a tile shows of each, in a compact form',
  act: 'media.see',
  serializedPerPerson: true,
  query: GridQuery,
  answer: Grid,
})

/** A file as a tile shows it. */
export interface GridFile {
  id: number
  original_name: string
  file_type: FileType
  file_size: number
  /** The day or heading it is listed under, as in the timeline: "2026-06-14", "1974", "196X", "XXXX". */
  day: string
  /** Its date in EDTF, where the heading does not say all of it. */
  edtf: string | null
  /** Width divided by height, rounded to the levels of `proportions.ts`. */
  ratio: number
  thumbhash: string | null
  /** At most 300 px. */
  thumbnail_url: string | null
  /** At most 800 px, for large tiles. */
  mobile_url: string | null
  duration: number | null
  location: string | null
  /** Whether it has a clip: a Live Photo or motion photo. */
  live: boolean
  animated: boolean
  partly_damaged: boolean
  status: MediaStatus
  progress: number | null
  failure_reason: string | null
  /** How many people love it, and whether the caller does. */
  hearts: number
  hearted: boolean
}

export function readGrid(grid: Grid): GridFile[] {
  return grid.files.map((tuple, i) => {
    const [id, name, day, proportion, flags, size, thumbhash, path, place, more = {}] = tuple
    const has = (flag: keyof typeof gridFlags) => (flags & gridFlags[flag]) !== 0
    const status = has('processing') ? 'processing' : has('failed') ? 'failed' : 'ready'
    return {
      id,
      original_name: name,
      file_type: has('video') ? 'video' : 'image',
      file_size: size,
      day: grid.days[day] ?? '',
      edtf: more.edtf ?? null,
      ratio: ratioOf(proportion),
      thumbhash,
      ...pictureUrls(grid.thumbnails, grid.thumbnails.signatures?.[i], name, path, more.mobile),
      duration: more.duration ?? null,
      location: place === null ? null : (grid.places[place] ?? null),
      live: has('live'),
      animated: has('animated'),
      partly_damaged: has('partlyDamaged'),
      status,
      progress: more.progress ?? null,
      failure_reason: more.failure_reason ?? null,
      hearts: more.hearts ?? 0,
      hearted: has('hearted'),
    }
  })
}

function pictureUrls(
  { base, query, signatures }: Grid['thumbnails'],
  own: readonly [string, string] | null | undefined,
  name: string,
  pattern: string | null,
  mobile: string | undefined,
): Pick<GridFile, 'thumbnail_url' | 'mobile_url'> {
  if (pattern === null || (signatures !== null && !own)) return { thumbnail_url: null, mobile_url: null }
  const url = (path: string, signature: string) => `${base}${encodePath(path)}?${query}${signature}`
  return {
    thumbnail_url: url(fillIn(pattern, name, 'thumbnail'), own?.[0] ?? ''),
    mobile_url: url(mobile ?? fillIn(pattern, name, 'mobile'), own?.[1] ?? ''),
  }
}

/** The pattern of a key: its stars stand for the file's name, which tiles have anyway, and for the size. */
export function pathPattern(path: string, name: string): string | null {
  if (path.includes('*')) return null
  const sized = path.replace(/^(.*[/.])thumbnail(?=-v\d+[^/]*$)/, '$1*')
  if (sized === path) return null
  const stem = stemOf(name)
  const at = stem === '' ? -1 : sized.indexOf(`/${stem}~`)
  return at < 0 ? sized : `${sized.slice(0, at + 1)}*${sized.slice(at + 1 + stem.length)}`
}

export function fillIn(pattern: string, name: string, size: 'thumbnail' | 'mobile'): string {
  const last = pattern.lastIndexOf('*')
  return pattern.slice(0, last).replace('*', () => stemOf(name)) + size + pattern.slice(last + 1)
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

/** Escapes what `encodeURIComponent` leaves, as signatures of S3 require. */
function encodePath(path: string): string {
  const escaped = encodeURIComponent(path).replaceAll('%2F', '/')
  return escaped.replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
