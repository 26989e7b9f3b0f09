import { afterEach, expect, test } from 'vitest'
import { listFailedFiles } from '#contract/admin.ts'
import { getMedia } from '#contract/media.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { deepXmp, jpegOfScans, pngWithXmp } from '../../../test/fixtures/bombs.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { signalDecoders } from '../../../test/fixtures/decoders.ts'
import { withDatabase } from '../../../test/fixtures/insert-media.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../../test/fixtures/pictures.ts'
import { asFile, photoForm, plainForm, send, untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../../test/library.ts'
import { filmedAt, h264AndAac, picture } from '../../../test/processing/video-clips.ts'
import { decoderLimitsHere } from '../prepare/tools.ts'

const make = await clipMaker()
const SCANS = 20_000
const soon = { timeout: 30_000 }
const { decoders } = decoderLimitsHere()
/** Concurrent uploads of one person, more than `decoders`. */
const atOnce = Array.from({ length: decoders + 2 }, (_, nr) => nr)

onOneEngine('whatever one member uploads', library => {
  afterEach(() => void signalDecoders('SIGCONT'))

  const waitingOf = async (ownerId: number) => {
    const rows = await library().rows(`select id from jobs where owner_id = ${ownerId} and failed_at is null`)
    return rows.length
  }

  test('a picture of thousands of scans is kept, and explained instead of shown', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const bytes = await jpegOfScans(SCANS)
    expect(bytes.length).toBeLessThan(500_000)
    // Sent with variants, so that the response waits for a check of the original.
    const pictures = await makeClientPictures(await makePicture({ width: 400, height: 400 }))
    const { files } = await send(ben, photoForm('scans.jpg', bytes, pictures))
    const file = await untilPrepared(ben, files[0]?.id ?? 0)
    const reason = 'This picture consists of more than 200 scans. Pictures this complex are kept, but not shown.'
    expect(file).toMatchObject({ status: 'failed', failure_reason: reason })
    expect(await ada.call(listFailedFiles, { query: {} })).toMatchObject([{ id: file.id, reason }])
    expect((await fetchFrom(library(), file.download_url)).bytes).toEqual(bytes)
  })

  test('a client-made picture of thousands of scans is refused', async () => {
    const ben = await memberOf(library())
    const original = await makePicture({ width: 400, height: 300 })
    const pictures = await makeClientPictures(original)
    const thumbnail = { ...pictures.thumbnail, bytes: await jpegOfScans(SCANS, { width: 300, height: 225 }) }
    await expect(send(ben, photoForm('variant.jpg', original, { ...pictures, thumbnail }))).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('The thumbnail picture is too complex to check.'),
    })
  })

  test('a picture whose metadata is nested thousands of times is shown without it', async () => {
    const ben = await memberOf(library())
    const bytes = await pngWithXmp(deepXmp(20_000))
    expect(bytes.length).toBeLessThan(2_000)
    const { id } = await uploadFile(ben, { name: 'deep.png', bytes })
    expect(await untilPrepared(ben, id)).toMatchObject({ status: 'ready' })
  })

  test("the files of another member are answered and prepared while the first one's wait", async () => {
    const [ada, ben] = [await memberOf(library(), 'ada'), await memberOf(library())]
    // Hanging decoders simulate files that pass all checks before decoding. The decoders for uploads must not hang.
    signalDecoders('SIGKILL')
    // As many at once as one person may have decoded, so that all of these decoders are started before they hang.
    const warm = await Promise.all(atOnce.map(nr => uploadFile(ada, { name: `warm-up ${nr}.jpg` })))
    for (const { id } of warm) expect((await untilPrepared(ada, id)).status).toBe('ready')
    expect(signalDecoders('SIGSTOP')).toBeGreaterThanOrEqual(decoders)
    const hanging = await Promise.all(atOnce.map(nr => uploadFile(ada, { name: `hangs ${nr}.jpg` })))
    const [row] = await library().rows(`select uploaded_by from media where id = ${hanging[0]?.id}`)
    const adaId = Number(row?.uploaded_by)
    const claimed = `select id from jobs where owner_id = ${adaId} and lease_token is not null`
    await expect.poll(async () => (await library().rows(claimed)).length, soon).toBe(atOnce.length)
    await withDatabase(library(), db =>
      db.transaction(async tx => {
        for (let nr = 0; nr < 1_000; nr++) {
          const job = { name: 'media.prepare', payload: `{"mediaId":${hanging.at(-1)?.id}}`, priority: 3, attempts: 0 }
          await tx
            .insertInto('jobs')
            .values({ ...job, run_at: library().now(), owner_id: adaId })
            .execute()
        }
      }),
    )
    const original = await makePicture({ width: 400, height: 300 })
    const { files } = await send(ben, photoForm('with-pictures.jpg', original, await makeClientPictures(original)))
    expect(files).toMatchObject([{ status: 'ready' }])
    const { id } = await uploadFile(ben, { name: 'prepared-here.jpg' })
    expect(await untilPrepared(ben, id)).toMatchObject({ status: 'ready' })
    expect(await waitingOf(adaId)).toBeGreaterThan(1_000)
    expect(await ada.call(getMedia, { params: { id: hanging[0]?.id ?? 0 } })).toMatchObject({ status: 'processing' })
    await withDatabase(library(), db =>
      db.transaction(tx =>
        tx.deleteFrom('jobs').where('owner_id', '=', adaId).where('unique_key', 'is', null).execute(),
      ),
    )
    // Decoders are started several times, which is slow on a busy machine.
  }, 120_000)

  test('a Live Photo is answered while the files of two others occupy every decoder', async () => {
    const [ada, rose, ben] = [
      await memberOf(library(), 'ada'),
      await memberOf(library(), 'rose'),
      await memberOf(library()),
    ]
    const takenAt = '2024-06-01T12:34:56'
    const clip = await make('clip.mp4', ...picture('160x120', 1), ...h264AndAac, ...filmedAt(takenAt))
    const form = plainForm('IMG_0001.jpg', await makePicture({ takenAt }))
    form.append('files', asFile(clip), 'motion_IMG_0001.jpg')
    signalDecoders('SIGKILL')
    const fromBoth = (name: string) =>
      Promise.all(
        [ada, rose].flatMap(person =>
          atOnce.map(async nr => ({ person, ...(await uploadFile(person, { name: `${name} ${nr}.jpg` })) })),
        ),
      )
    for (const { person, id } of await fromBoth('warm-up')) {
      expect((await untilPrepared(person, id)).status).toBe('ready')
    }
    // More than a single person may use: all decoders.
    expect(signalDecoders('SIGSTOP')).toBeGreaterThan(decoders)
    const hanging = await fromBoth('hangs')
    const claimed = 'select distinct owner_id from jobs where lease_token is not null'
    await expect.poll(async () => (await library().rows(claimed)).length, soon).toBe(2)
    const { files } = await send(ben, form)
    expect(files[0]).toMatchObject({ file_type: 'image' })
    // If it had waited for one of these decoders, one of these files would have failed by the limit of two minutes.
    for (const { person, id } of hanging) {
      expect(await person.call(getMedia, { params: { id } })).toMatchObject({ status: 'processing' })
    }
  }, 240_000)
})
