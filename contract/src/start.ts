import { z } from 'zod'
import { inText } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Grid } from './grid.ts'
import { LibraryStats, Timeline, TimelineQuery } from './media-list.ts'
import { GalleryTop } from './memories.ts'
import { User } from './people.ts'

/** All that a page needs to show the gallery, in one request that is sent while the program still loads. */
export const start = endpoint({
  method: 'GET',
  path: '/api/start',
  summary: 'The signed-in person, the position of the live stream, and the beginning of the whole library by date',
  act: 'media.see',
  offline: true,
  serializedPerPerson: true,
  query: TimelineQuery.pick({ proportions: true }).extend({
    limit: inText(z.number().int().min(1).max(1_000)).default(100).describe('Files in `grid`'),
    today: z.iso.date().optional().describe("The day on the caller's calendar, for `top`"),
  }),
  answer: z.object({
    user: User,
    live_position: z
      .string()
      .nullable()
      .describe('As in the header of `GET /auth/me`: the rest of this answer includes all events up to there'),
    stats: LibraryStats,
    timeline: Timeline,
    grid: Grid.describe('The first files'),
    top: GalleryTop.nullable().describe('Null without `today`'),
  }),
})
