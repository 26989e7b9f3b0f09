import { z } from 'zod'
import { SharedFile } from './chat.ts'
import { Id, IdInPath, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { MediaFile } from './media.ts'
import { refusal } from './refusal.ts'

/** A day of any year, as in "11-17". */
export const MonthDay = z
  .string()
  .regex(/^\d\d-\d\d$/)
  .refine(day => isDay(`2000-${day}`), refusal('memories.noSuchDay'))

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success
}

const Today = z.iso.date().describe("The day on the caller's calendar")

const Group = z.object({
  date: z.iso.date(),
  years: z.number().int().nonnegative().describe('How many years ago; 0: earlier this year'),
  place: z.string().nullable().describe('The town where most of them were taken'),
  count: z.number().int().positive().describe('Without copies of the same second and screenshots that nobody loves'),
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
  answer: z.object({
    groups: z.array(MemoryGroup).describe('Newest first'),
    nearest: z
      .object({ day: MonthDay, count: z.number().int().positive() })
      .nullable()
      .default(null)
      .describe('Where there are none: the day of the year nearest to it that has photos'),
  }),
})

/**
 * Which card it is: what a person added on a day (days since 1970), a memory, photos of guests, or what a person loves.
 */
export const CardKey = z
  .string()
  .regex(/^(added:[1-9]\d{0,14}:\d{1,6}|hearts:[1-9]\d{0,14}|memory:\d{4}-\d\d-\d\d|guests)$/)
  .refine(key => !key.startsWith('memory:') || isDay(key.slice('memory:'.length)), refusal('memories.noSuchDay'))
export type CardKey = z.infer<typeof CardKey>

const Cover = z.object({
  id: Id,
  thumbhash: z.string().nullable(),
  thumbnail_url: z.string().nullable(),
  mobile_url: z.string().nullable(),
})

const anyCard = {
  key: z.string(),
  until: Moment.describe('Of the newest thing it shows'),
  cover: Cover.nullable(),
}

const CardPerson = z.object({ id: Id, name: z.string() })
const images = z.number().int().nonnegative().describe('How many of them are photos')

const Card = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('added'),
    ...anyCard,
    person: CardPerson,
    from: Moment.describe('Of the first of them'),
    count: z.number().int().positive().describe('At most 10,000 in all cards of a kind'),
    images,
  }),
  Group.extend({ kind: z.literal('memory'), ...anyCard }),
  z.object({ kind: z.literal('guests'), ...anyCard, count: z.number().int().positive() }),
  z.object({
    kind: z.literal('hearts'),
    ...anyCard,
    person: CardPerson,
    count: z.number().int().positive(),
    images,
  }),
])
export type Card = z.infer<typeof Card>

export const GalleryTop = z.object({
  cards: z
    .array(Card)
    .describe('What others have added since the last visit, this day in earlier years, guests that wait, and hearts'),
})
export type GalleryTop = z.infer<typeof GalleryTop>

export const galleryTop = endpoint({
  method: 'GET',
  path: '/api/memories/top',
  summary: 'The cards above the files of the gallery, without those that the caller has put away',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  query: z.object({ today: Today }),
  answer: GalleryTop,
})

const CardInPath = z.object({ card: CardKey })

export const cardFiles = endpoint({
  method: 'GET',
  path: '/api/memories/cards/:card/files',
  summary: 'The first files of a card, in the order of a story',
  act: 'media.see',
  serializedPerPerson: true,
  params: CardInPath,
  answer: z.object({ files: z.array(MediaFile) }),
})

export const putCardAway = endpoint({
  method: 'PUT',
  path: '/api/memories/cards/:card/put-away',
  summary: 'Leave a card out, on all devices of the caller, until it has something newer to show',
  act: 'media.see',
  params: CardInPath,
  body: z.object({ until: Moment.describe("The card's own `until`") }),
})

export const showCardAgain = endpoint({
  method: 'DELETE',
  path: '/api/memories/cards/:card/put-away',
  summary: 'Show a card again; one that is not put away is no error',
  act: 'media.see',
  params: CardInPath,
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
  summary: 'The caller is looking at a page: a visit begins, or continues if the last call was less than an hour ago',
  act: 'session.use',
  answer: z.object({ began: z.boolean().describe('Whether this call began a visit') }),
})
