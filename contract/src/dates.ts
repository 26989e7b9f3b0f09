import { z } from 'zod'
import { Continues, changeAnswer } from './changes.ts'
import { Id } from './common.ts'
import { Edtf } from './edtf.ts'
import { endpoint } from './endpoint.ts'
import { ChangedFileIds, ReadFileIds } from './media.ts'
import { refusal } from './refusal.ts'

/** A hundred years. */
const MAX_SHIFT = { months: 100 * 12, minutes: 100 * 366 * 24 * 60 }

/** Zones of the IANA database; the server checks whether it knows it. */
const TimeZone = z
  .string()
  .max(60)
  .regex(/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/)

export const DateChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), edtf: Edtf }),
  z
    .object({
      kind: z.literal('shift'),
      months: z
        .number()
        .int()
        .min(-MAX_SHIFT.months)
        .max(MAX_SHIFT.months)
        .optional()
        .describe('Added first; after 31 January the last day of February. Years, seasons and decades by whole ones'),
      minutes: z
        .number()
        .int()
        .min(-MAX_SHIFT.minutes)
        .max(MAX_SHIFT.minutes)
        .optional()
        .describe('Added to every date that is exact enough'),
    })
    .refine(({ months = 0, minutes = 0 }) => months !== 0 || minutes !== 0, refusal('dates.noShift')),
  z.object({ kind: z.literal('copy'), from: Id.describe('The file whose date they get') }),
  z.object({
    kind: z.literal('zone'),
    zone: TimeZone.describe('As in Europe/Lisbon'),
    keep: z
      .enum(['clock', 'moment'])
      .describe('What was right: the time on the clock, or the moment, on the clock of another time zone'),
  }),
  z.object({ kind: z.literal('clear') }).describe('Back to what the camera, the name or the file says'),
])
export type DateChange = z.infer<typeof DateChange>

export const changeDates = endpoint({
  method: 'POST',
  path: '/api/media/dates',
  summary: 'Correct the dates of files. The originals stay as they are; what the camera said is kept beside it',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({
    fileIds: ChangedFileIds,
    change: DateChange,
    continues: Continues,
  }),
  answer: z.object({
    ...changeAnswer,
    skipped: z.number().int().describe('Files whose date is not exact enough for it, or not known'),
  }),
})

export const previewDates = endpoint({
  method: 'POST',
  path: '/api/media/dates/preview',
  summary: 'What a correction of dates would do, without doing it',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({ fileIds: ReadFileIds, change: DateChange }),
  answer: z.object({
    changed: z.number().int().describe('Files that would get another date'),
    skipped: z.number().int().describe('Files whose date is not exact enough for it, or not known'),
    first: z
      .object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() })
      .nullable()
      .describe('The first one that would change, and its dates in EDTF; null: none would, or it has none'),
    home_zone: z.string().describe('The time zone of a clock that does not say its own'),
  }),
})
