import { z } from 'zod'
import { Id, inText } from './common.ts'
import { endpoint } from './endpoint.ts'
import { FileType, MediaStatus } from './media.ts'
import { MediaOrder } from './media-list.ts'

/**
 * What a tile shows of a file, under the names of `MediaFile`. What is left out is false or not known. In this order
 * gzip and brotli find the longest repetitions, because what differs from file to file comes first and last.
 */
const GridRow = z.object({
  id: Id,
  file_size: z.number().int().nonnegative(),
  ratio: z.number().positive().describe('Width divided by height, rounded to the levels of `proportions.ts`'),
  thumbhash: z.string().nullable(),
  duration: z.number().optional(),
  edtf: z.string().optional().describe('Its date, where `day` does not say all of it'),
  live: z.boolean().optional().describe('Whether it has a clip: a Live Photo or motion photo'),
  animated: z.boolean().optional(),
  partly_damaged: z.boolean().optional(),
  incomplete: z.boolean().optional().describe('Whether its end is missing'),
  missing: z.boolean().optional().describe('Whether its original is in no watched folder any more'),
  progress: z.number().int().optional(),
  failure_reason: z.string().optional(),
  signatures: z
    .tuple([z.string(), z.string()])
    .optional()
    .describe('Of `thumbnail` and `mobile`, to append to their URLs, where the store signs each object'),
  hearts: z.number().int().nonnegative().describe('How many people love it'),
  hearted: z.boolean().describe('Whether the caller does'),
  status: MediaStatus,
  file_type: FileType,
  location: z.string().optional(),
  caption: z.string().optional(),
  day: z
    .string()
    .describe('The day or heading it is listed under, as in the timeline: "2026-06-14", "1974", "196X", "XXXX"'),
  original_name: z.string(),
  thumbnail: z.string().nullable().describe('Path of its picture of at most 300 px below `pictures.base`'),
  mobile: z.string().nullable().describe('The same of at most 800 px, for large tiles'),
})
export type GridRow = z.infer<typeof GridRow>

export const Grid = z.object({
  files: z.array(GridRow),
  pictures: z.object({
    base: z.string(),
    query: z.string().describe('Signature for all pictures of grids, without originals and larger sizes'),
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
  offline: true,
  serializedPerPerson: true,
  query: GridQuery,
  answer: Grid,
})

/** A file as a tile shows it. */
export interface GridFile extends Omit<GridRow, 'thumbnail' | 'mobile' | 'signatures'> {
  thumbnail_url: string | null
  mobile_url: string | null
}

/** The URLs are composed here, because most of each is the same for all pictures. */
export function readGrid({ files, pictures: { base, query } }: Grid): GridFile[] {
  const url = (path: string | null, signature = '') => path && `${base}${encodePath(path)}?${query}${signature}`
  return files.map(({ thumbnail, mobile, signatures, ...file }) => ({
    ...file,
    thumbnail_url: url(thumbnail, signatures?.[0]),
    mobile_url: url(mobile, signatures?.[1]),
  }))
}

/** Escapes what `encodeURIComponent` leaves, as signatures of S3 require. */
function encodePath(path: string): string {
  const escaped = encodeURIComponent(path).replaceAll('%2F', '/')
  return escaped.replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
