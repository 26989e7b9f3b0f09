import { expect, test } from 'vitest'
import { libraryOverview } from '#contract/admin.ts'
import { bulkDelete } from '#contract/media.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { onBothEngines } from '../../test/library.ts'

const TEN_MINUTES = 600_000

onBothEngines(
  'the overview for admins',
  library => {
    test('show files, growth by month, jobs, disk, sandbox, version and ffmpeg', async () => {
      const ada = await library().admin()
      const ids = await insertMedia(library(), [{ name: 'a.jpg' }, { name: 'b.jpg' }, { name: 'gone.jpg' }])
      const [first = 0, second = 0, deleted = 0] = ids
      const now = new Date(library().now())
      const startOfMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
      await library().rows(`update media set uploaded_at = ${startOfMonth} where id = ${first}`)
      await library().rows(`update media set uploaded_at = ${startOfMonth - 1} where id in (${second}, ${deleted})`)
      await ada.call(bulkDelete, { body: { fileIds: [deleted] } })
      await library().rows(
        `insert into jobs (name, payload, priority, run_at, attempts) values ('test.later', 'null', 5, 1, 0)`,
      )
      await library().rows(`update media set status = 'failed' where id = ${first}`)
      // The older one is no news any more.
      await library().rows(
        `insert into jobs (name, payload, priority, run_at, attempts, failed_at)
       values ('test.failed', 'null', 5, 1, 9, ${now.getTime()}), ('test.failed', 'null', 5, 1, 9, 1),
         ('media.prepare', '{"mediaId":${first}}', 5, 1, 9, ${now.getTime()}),
         ('media.prepare', '{"mediaId":${second}}', 5, 1, 9, ${now.getTime()})`,
      )

      const overview = await ada.call(libraryOverview)
      expect(overview).toMatchObject({ images: 2, videos: 0, last_backup: null, in_store: false })
      // One is of a file that is listed as failed, and one of a file that people see as it was.
      expect(overview.jobs).toEqual({ waiting: 1, failed: 2 })
      expect(overview.months).toHaveLength(12)
      expect(overview.months.at(-1)).toMatchObject({ month: now.toISOString().slice(0, 7), files: 1 })
      expect(overview.months.at(-2)).toMatchObject({ files: 1, bytes: overview.bytes / 2 })
      expect(overview.disk?.free).toBeGreaterThan(0)
      expect(overview.version).toMatch(/^\d+\.\d+/)
      expect(overview.ffmpeg).toEqual({
        version: expect.stringMatching(/\d/),
        year: expect.any(Number),
        origin: expect.stringMatching(/system|configured/),
      })

      // Growth is counted once in ten minutes.
      const [late = 0] = await insertMedia(library(), [{ name: 'late.jpg' }])
      await library().rows(`update media set uploaded_at = ${startOfMonth} where id = ${late}`)
      expect(await ada.call(libraryOverview)).toMatchObject({ images: 3, months: overview.months })
      library().pass(TEN_MINUTES + 1)
      expect((await ada.call(libraryOverview)).months.at(-1)).toMatchObject({ files: 2 })
    })
  },
  { environment: { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH } },
)
