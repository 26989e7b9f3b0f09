import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { libraryHealth, listFailedFiles, retryFailedFile } from '#contract/admin.ts'
import { DAY } from '#contract/limits.ts'
import { deleteMedia, getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { signalDecoders } from '../../../test/fixtures/decoders.ts'
import { withDatabase } from '../../../test/fixtures/insert-media.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { expectNoOrphans, remainsOf, storageOf } from '../../../test/fixtures/remains.ts'
import { untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { type Library, onOneEngine } from '../../../test/library.ts'
import { makeDng } from '../../../test/processing/dng.ts'
import { sandboxReport } from '../../../test/processing/sandbox.ts'
import { h264AndAac, picture, sound } from '../../../test/processing/video-clips.ts'
import { purgeDeleted } from '../trash.ts'

const make = await clipMaker()
const SECOND = 1_000
const soon = { timeout: 30_000 }

onOneEngine('preparing a file', library => {
  afterEach(() => void signalDecoders('SIGCONT'))

  /** Starts a decoder and leaves it idle, so that it gets the next file. */
  async function warmUp(): Promise<void> {
    const ben = await memberOf(library())
    const { id } = await uploadFile(ben, { name: 'warm-up.jpg' })
    expect((await untilPrepared(ben, id)).status).toBe('ready')
  }

  const claimed = async (id: number) => {
    const rows = await library().rows(`select lease_token from jobs where unique_key = 'media.prepare:${id}'`)
    return rows.some(row => row.lease_token !== null)
  }

  test('that is broken fails with a reason that people understand, and is listed for the admins', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const broken = Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xe0), Buffer.from('nothing of a photo'.repeat(9))])
    const { id } = await uploadFile(ben, { name: 'broken.jpg', bytes: broken })
    const file = await untilPrepared(ben, id)
    expect(file).toMatchObject({ status: 'failed', progress: null, thumbnail_url: null })
    expect(file.failure_reason).toBe('The file is damaged and could not be read.')
    const failed = await ada.call(listFailedFiles, { query: {} })
    expect(failed).toMatchObject([{ id, original_name: 'broken.jpg', problem: 'failed', reason: file.failure_reason }])
    // The original can still be downloaded.
    expect((await fetchFrom(library(), failed[0]?.download_url)).bytes).toEqual(broken)

    await ada.call(retryFailedFile, { params: { id } })
    const again = await untilPrepared(ben, id)
    expect(again).toMatchObject({ status: 'failed', failure_reason: file.failure_reason })
    await ben.call(deleteMedia, { params: { id } })
    expect(await ada.call(listFailedFiles, { query: {} })).toEqual([])
    await expect(ada.call(retryFailedFile, { params: { id } })).rejects.toMatchObject({ status: 404 })
  })

  test('that cannot be shown still has its date', async () => {
    const ben = await memberOf(library())
    const exif = { IFD0: { Make: 'Canon', Model: 'EOS 7D' }, IFD2: { DateTimeOriginal: '2011:05:04 10:20:30' } }
    const whole = await sharp(await makePicture({ width: 60, height: 40 }))
      .withExif(exif)
      .jpeg()
      .toBuffer()
    const bytes = whole.subarray(0, whole.indexOf(Buffer.of(0xff, 0xc0)))
    const { id } = await uploadFile(ben, { name: 'half.jpg', bytes })
    expect(await untilPrepared(ben, id)).toMatchObject({
      status: 'failed',
      taken_at: '2011-05-04T10:20:30',
      date: '2011-05-04T10:20:30',
      camera: 'Canon EOS 7D',
    })
    await ben.call(deleteMedia, { params: { id } })
  })

  test('without ffmpeg or LibRaw tells the admins what is missing, and goes on once it is there', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    expect(await ada.call(libraryHealth)).toMatchObject({
      warnings: [
        expect.stringContaining('ffmpeg is not installed'),
        expect.stringContaining('LibRaw'),
        ...sandboxReport.warnings,
      ],
    })
    const bytes = await make(
      'waits.mkv',
      ...picture(),
      ...sound(),
      ...h264AndAac,
      '-metadata',
      `comment=${library().url}`,
    )
    const { id } = await uploadFile(ben, { name: 'waits.mkv', bytes })
    const raw = await uploadFile(ben, { name: 'waits.dng', bytes: makeDng(60, 40) })
    expect(await untilPrepared(ben, raw.id)).toMatchObject({
      status: 'failed',
      failure_reason: "This kind of file can't be shown yet; the original is safe.",
    })
    const failed = await untilPrepared(ben, id)
    expect(failed).toMatchObject({ status: 'failed', failure_reason: expect.stringContaining('no ffmpeg') })
    await library().restart({ PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH })
    expect(await ada.call(libraryHealth)).toEqual({ ...sandboxReport, waiting_jobs: 0 })
    const retries = await Promise.allSettled([1, 2].map(() => ada.call(retryFailedFile, { params: { id } })))
    expect(retries.filter(retry => retry.status === 'fulfilled')).toHaveLength(1)
    expect(await untilPrepared(ben, id)).toMatchObject({ status: 'ready', failure_reason: null })
    await ada.call(retryFailedFile, { params: { id: raw.id } })
    expect(await untilPrepared(ben, raw.id)).toMatchObject({ status: 'ready', failure_reason: null, width: 60 })
    expect(await ada.call(listFailedFiles, { query: {} })).toEqual([])
  })

  test('is tried again after its decoder crashed', async () => {
    const ben = await memberOf(library())
    const { id } = await uploadFile(ben, { name: 'crash.jpg' })
    const crash = async () => {
      signalDecoders('SIGKILL')
      const [job] = await library().rows(`select last_error from jobs where unique_key = 'media.prepare:${id}'`)
      return job?.last_error
    }
    await expect.poll(crash, { ...soon, interval: 10 }).toBe('The decoder ended unexpectedly while it read this file.')
    expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ status: 'processing' })
    library().pass(10 * SECOND)
    expect(await untilPrepared(ben, id)).toMatchObject({ status: 'ready' })
  })

  test('whose decoder hangs holds up no call, and no other file once the decoder has been ended', async () => {
    const ben = await memberOf(library())
    await warmUp()
    signalDecoders('SIGSTOP')
    const hanging = await uploadFile(ben, { name: 'hangs.jpg' })
    await expect.poll(() => claimed(hanging.id), soon).toBe(true)
    const other = await uploadFile(ben, { name: 'other.jpg' })
    expect((await ben.call(listMedia, { query: { search: 'hangs' } })).files).toMatchObject([{ status: 'processing' }])
    // What its time limit does after two minutes.
    signalDecoders('SIGKILL')
    expect(await untilPrepared(ben, other.id)).toMatchObject({ status: 'ready' })
    library().pass(10 * SECOND)
    expect(await untilPrepared(ben, hanging.id)).toMatchObject({ status: 'ready' })
  })

  test('that is purged during the preparation leaves nothing', async () => {
    const ben = await memberOf(library())
    await warmUp()
    signalDecoders('SIGSTOP')
    const { id } = await uploadFile(ben, { name: 'purged.jpg' })
    await expect.poll(() => claimed(id), soon).toBe(true)
    await ben.call(deleteMedia, { params: { id } })
    await purgeAsIfMonthsLater(library())
    expect(await library().rows(`select id from media where id = ${id}`)).toEqual([])
    signalDecoders('SIGCONT')
    await expect.poll(async () => (await remainsOf(library())).scratch, soon).toEqual([])
    await expectNoOrphans(library())
    expect((await remainsOf(library())).stored.filter(key => key.includes('purged~'))).toEqual([])
  })
})

/** Advancing the clock would expire the leases of all running jobs. */
async function purgeAsIfMonthsLater(library: Library): Promise<void> {
  const { trashDays } = library.config
  const clock = () => library.now() + 2 * trashDays * DAY
  await withDatabase(library, async db => purgeDeleted({ db, storage: await storageOf(library), clock, trashDays }))
}
