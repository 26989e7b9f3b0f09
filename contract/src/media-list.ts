import { z } from 'zod'
import { Id, IdInPath, IdInText, IdsInText, inText } from './common.ts'
import { endpoint } from './endpoint.ts'
import { MediaFile } from './media.ts'
import { MediaFilter } from './media-filter.ts'

export const LibraryStats = z.object({
  total: z.number().int(),
  images: z.number().int(),
  videos: z.number().int(),
  totalSize: z.number().int(),
})
export type LibraryStats = z.infer<typeof LibraryStats>

export const SortField = z.enum(['name', 'date', 'added', 'size', 'type', 'location'])
export type SortField = z.infer<typeof SortField>

export const SortOrder = z.enum(['asc', 'desc'])
export type SortOrder = z.infer<typeof SortOrder>

/** `manual`: as people have put the files of the album that `album` names. */
export const ListSort = z.enum([...SortField.options, 'manual'])
export type ListSort = z.infer<typeof ListSort>

/** Dates sort newest first, everything else ascending. `added` is the date of the upload. */
export function defaultOrder(sort: ListSort): SortOrder {
  return sort === 'date' || sort === 'added' ? 'desc' : 'asc'
}

/** A filter with a sort order. */
export const MediaOrder = MediaFilter.extend({
  sort: ListSort.default('date'),
  order: SortOrder.optional(),
})
export type MediaOrder = z.infer<typeof MediaOrder>

const Days = z.object({
  from: z.iso.date().optional().describe('Only days from this one on'),
  to: z.iso.date().optional().describe('Only days up to and including this one'),
})

export const MediaQuery = MediaOrder.extend(Days.shape).extend({
  limit: inText(z.number().int().min(1).max(1_000)).optional(),
  cursor: z.string().max(2_000).optional(),
  offset: inText(z.number().int().min(0).max(10_000_000)).optional().describe('How many files to skip'),
})
export type MediaQuery = z.infer<typeof MediaQuery>

export const listMedia = endpoint({
  method: 'GET',
  path: '/api/media',
  summary: 'The files that match, with statistics of the whole library',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  query: MediaQuery,
  answer: z.object({
    files: z.array(MediaFile),
    stats: LibraryStats,
    count: z.number().int().describe('How many files match'),
    next_cursor: z.string().nullable(),
  }),
})

export const mediaStats = endpoint({
  method: 'GET',
  path: '/api/media/stats',
  summary: 'How many photos and videos there are, and how large they are together',
  act: 'media.see',
  offline: true,
  query: MediaFilter.pick({ folder_id: true }),
  answer: LibraryStats,
})

export const TimelineQuery = MediaOrder.extend({
  proportions: z.enum(['true', 'false']).default('false').describe('Whether to send the proportion of each file'),
})
export type TimelineQuery = z.infer<typeof TimelineQuery>

export const Timeline = z.object({
  total: z.number().int().nonnegative(),
  days: z
    .array(z.tuple([z.number(), z.number().int().positive(), z.string()]))
    .describe(
      'In list order: sort key, number of files and date in EDTF, as in [20618, 12, "2026-06-14"]; less exact dates have headings of their own (1985-07, 1974, 196X), and undated files the last one (XXXX). Empty unless sorted by date',
    ),
  proportions: z
    .string()
    .nullable()
    .describe('One character a file, in list order: width to height on a logarithmic scale; null unless asked for'),
})
export type Timeline = z.infer<typeof Timeline>

export const timeline = endpoint({
  method: 'GET',
  path: '/api/media/timeline',
  summary: 'How many files each day has, in list order: all that a page needs to lay out any number of files',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  query: TimelineQuery,
  answer: Timeline,
})

const Suggestion = z.object({
  value: z.union([z.string(), z.number()]).describe('The value of the filter'),
  label: z.string(),
  count: z.number().int().positive(),
})
export type Suggestion = z.infer<typeof Suggestion>

export const Suggestions = z
  .object({
    place: z.array(Suggestion),
    tag: z.array(Suggestion),
    camera: z.array(Suggestion),
    year: z.array(Suggestion),
    uploader: z.array(Suggestion),
  })
  .describe('By the name of the filter: years newest first, all others by their number of files')
export type Suggestions = z.infer<typeof Suggestions>

export const mediaSuggestions = endpoint({
  method: 'GET',
  path: '/api/media/suggestions',
  summary: 'Places, tags, cameras, years and uploaders to filter the library by, with their numbers of files',
  act: 'media.see',
  serializedPerPerson: true,
  answer: Suggestions,
})

const MediaIdsQuery = MediaOrder.extend(Days.shape).extend({
  heading: z
    .string()
    .regex(/^(?:\d{4}(?:-(?:0[1-9]|1[0-2]))?|\d{3}X|XXXX)$/)
    .optional()
    .describe('Only files under this heading of the timeline: 1985-07, 1974, 196X or XXXX'),
  first: IdInText.optional().describe('The id of the file to begin with'),
  last: IdInText.optional().describe('The id of the file to end with'),
  ids: IdsInText.optional().describe('Only those of these files that match'),
})
export type MediaIdsQuery = z.infer<typeof MediaIdsQuery>

export const mediaIds = endpoint({
  method: 'GET',
  path: '/api/media/ids',
  summary: 'The ids of the files that match, in order: to choose many files without reading each of them',
  act: 'media.see',
  serializedPerPerson: true,
  query: MediaIdsQuery,
  answer: z.object({ ids: z.array(Id) }),
})

export const mediaPosition = endpoint({
  method: 'GET',
  path: '/api/media/:id/position',
  summary: 'The index of a file in the list of those that match',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  params: IdInPath,
  query: MediaOrder,
  answer: z.object({ index: z.number().int().nonnegative().describe('From 0') }),
})
