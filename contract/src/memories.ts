import { z } from 'zod'
import { SharedFile } from './chat.ts'
import { IdInPath, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { MediaFile } from './media.ts'
import { refusal } from './refusal.ts'

/** A day of any year, as in "11-17". */
export const MonthDay = z
  .string()
  .regex(/^\d\d-\d\d$/)
  .refine(day => z.iso.date().safeParse(`2000-${day}`).success, refusal('memories.noSuchDay'))

const Today = z.iso.date().describe("The day on the caller's calendar")

const Group = z.object({
  date: z.iso.date(),
  years: z.number().int().nonnegative().describe('How many years ago; 0: earlier this year'),
  place: z.string().nullable().describe('The town where most of them were taken'),
  count: z.number().int().positive().describe('Without near-duplicates and screenshots that nobody loves'),
})

const MemoryGroup = Group.extend({
  files: z.array(MediaFile).describe('Up to 12, those with hearts and notes first'),
})
export type MemoryGroup = z.infer<typeof MemoryGroup>

export const memories = endpoint({
  method: 'GET',
  path: '/api/memories',
  summary: 'Photos of a day in earlier years, without what the caller has hidden',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  query: z.object({ today: Today, day: MonthDay.optional().describe('Absent: that of `today`') }),
  answer: z.object({ groups: z.array(MemoryGroup).describe('Newest first') }),
})

export const GalleryTop = z.object({
  memories: z
    .array(Group.extend({ cover: SharedFile }))
    .describe('Of today in earlier years, newest first; empty where the caller has closed them for today'),
  new_files: z
    .object({
      since: Moment.describe('The end of the last visit'),
      count: z.number().int().positive().describe('At most 10,000'),
    })
    .nullable()
    .describe('What others have added since the last visit; null: nothing, or the caller has seen it'),
})
export type GalleryTop = z.infer<typeof GalleryTop>

export const galleryTop = endpoint({
  method: 'GET',
  path: '/api/memories/top',
  summary: 'What the gallery shows above its files: this day in earlier years, and what is new',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  query: z.object({ today: Today }),
  answer: GalleryTop,
})

export const closeMemories = endpoint({
  method: 'PUT',
  path: '/api/memories/closed',
  summary: 'Leave the memories of one day out of the top of the gallery, on all devices of the caller',
  act: 'media.see',
  body: z.object({ day: z.iso.date().nullable().describe('Null: show them again') }),
})

export const hiddenMemories = endpoint({
  method: 'GET',
  path: '/api/memories/hidden',
  summary: 'The days and files that the caller does not want to be reminded of, the last hidden first',
  act: 'media.see',
  answer: z.object({ days: z.array(z.iso.date()), files: z.array(SharedFile) }),
})

const DateInPath = z.object({ date: z.iso.date() })

export const hideMemoryDay = endpoint({
  method: 'PUT',
  path: '/api/memories/hidden/days/:date',
  summary: 'Leave a day out of the memories of the caller, who alone is concerned',
  act: 'media.see',
  params: DateInPath,
})

export const showMemoryDay = endpoint({
  method: 'DELETE',
  path: '/api/memories/hidden/days/:date',
  summary: 'Show a day among the memories of the caller again; one that is not hidden is no error',
  act: 'media.see',
  params: DateInPath,
})

export const hideMemory = endpoint({
  method: 'PUT',
  path: '/api/memories/hidden/media/:id',
  summary: 'Leave a file out of the memories of the caller, who alone is concerned',
  act: 'media.see',
  params: IdInPath,
})

export const showMemory = endpoint({
  method: 'DELETE',
  path: '/api/memories/hidden/media/:id',
  summary: 'Show a file among the memories of the caller again; one that is not hidden is no error',
  act: 'media.see',
  params: IdInPath,
})

export const recordVisit = endpoint({
  method: 'POST',
  path: '/api/me/visit',
  summary: 'The caller is looking at a page: a visit begins, or continues if the last call was a few hours ago',
  act: 'session.use',
  answer: z.object({ began: z.boolean().describe('Whether this call began a visit') }),
})

export const setNewSince = endpoint({
  method: 'PUT',
  path: '/api/me/new-since',
  summary: 'Say from when on files of others are new to the caller',
  act: 'session.use',
  body: z.object({
    since: Moment.nullable().describe('Null: the caller has seen what is new. For an undo: as before'),
  }),
})
