import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { getMedia } from '#contract/media.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { remainsAtRest, remainsOf } from '../../../test/fixtures/remains.ts'
import {
  asFile,
  finish,
  plainForm,
  send,
  sendResumable,
  untilPrepared,
  uploadFile,
} from '../../../test/fixtures/uploads.ts'
import { type Library, onOneEngine } from '../../../test/library.ts'
import { ffmpegUnderTest, h264, h264AndAac, picture, sound } from '../../../test/processing/video-clips.ts'
import { probeVideo } from '../../processing/video/probe.ts'

const make = await clipMaker()
const ffmpeg = await ffmpegUnderTest()
/** Each clip is unique, because uploads are deduplicated by hash: a comment changes the bytes only. */
let clips = 0
const unlike = () => ['-metadata', `comment=${++clips}`]

/** A video that ends before its first frame. */
async function withoutFrames(name: string): Promise<Buffer> {
  if (name.endsWith('.wmv')) {
    const whole = await make(name, ...picture(), '-c:v', 'wmv2', ...unlike())
    // The length of the header is a part of it.
    return whole.subarray(0, Number(whole.readBigUInt64LE(16)) + 50)
  }
  const whole = await make(name, ...picture(), ...h264, '-movflags', '+empty_moov+frag_keyframe', ...unlike())
  return whole.subarray(0, whole.indexOf('moof') - 4)
}

async function probeAt(library: Library, url: string | null | undefined) {
  const { bytes, type } = await fetchFrom(library, url)
  const path = join(tmpdir(), `heirloom-probe-${process.pid}.mp4`)
  await writeFile(path, bytes)
  return { ...(await probeVideo(path, { ffmpeg }).finally(() => rm(path))), type }
}

onOneEngine(
  'a video is prepared:',
  library => {
    test('a tape of a MiniDV camcorder is shown upright in its shape, and plays', async () => {
      const ben = await memberOf(library())
      const bytes = await make('tape.dv', ...picture('720x576', 1), ...sound(1), '-target', 'pal-dv', '-aspect', '4:3')
      const { id } = await uploadFile(ben, { name: 'tape.dv', bytes })
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', file_type: 'video', mime_type: 'video/x-dv', height: 576 })
      expect((file.width ?? 0) / 576).toBeCloseTo(4 / 3, 1)
      expect(await probeAt(library(), file.url)).toMatchObject({ container: 'mp4', video: { codec: 'h264' } })
    })

    test('an MP4 that browsers play is shown as it is, with a picture of it in every size', async () => {
      const ben = await memberOf(library())
      const bytes = await make('plays.mp4', ...picture('320x240'), ...sound(), ...h264AndAac, ...unlike())
      const { id, status, url } = await uploadFile(ben, { name: 'plays.mp4', bytes })
      // The job decides whether browsers can play its codecs.
      expect([status, url]).toEqual(['processing', null])
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({
        status: 'ready',
        file_type: 'video',
        width: 320,
        height: 240,
        mime_type: 'video/mp4',
      })
      expect(file.duration).toBeCloseTo(2, 0)
      expect((file.url ?? '').split('?')[0]).toContain('/originals/')
      const thumbnail = await fetchFrom(library(), file.thumbnail_url)
      expect(await sharp(thumbnail.bytes).metadata()).toMatchObject({
        width: 300,
        height: 225,
      })
    })

    test('an MKV of H.264 and AAC is remuxed, and keeps its original', async () => {
      const ben = await memberOf(library())
      const bytes = await make('wrap.mkv', ...picture(), ...sound(), ...h264AndAac, ...unlike())
      const { id } = await uploadFile(ben, { name: 'wrap.mkv', bytes })
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', mime_type: 'video/x-matroska', file_size: bytes.length })
      const shown = await probeAt(library(), file.url)
      expect(shown).toMatchObject({
        container: 'mp4',
        type: 'video/mp4',
        video: { codec: 'h264' },
        audio: { codec: 'aac' },
      })
      const original = await fetchFrom(library(), file.download_url)
      expect(original.bytes).toEqual(bytes)
    })

    test('an AVI is converted', async () => {
      const ben = await memberOf(library())
      const bytes = await make('old.avi', ...picture(), ...sound(), '-c:v', 'mpeg4', '-c:a', 'mp2', ...unlike())
      const { id } = await uploadFile(ben, { name: 'old.avi', bytes })
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', mime_type: 'video/x-msvideo' })
      const shown = await probeAt(library(), file.url)
      expect(shown).toMatchObject({ container: 'mp4', video: { codec: 'h264' }, audio: { codec: 'aac' } })
    })

    test.each([
      ['tape.m1v', 'video/mpeg', ['-c:v', 'mpeg1video', '-f', 'mpeg1video']],
      ['tape.m2v', 'video/mpeg', ['-c:v', 'mpeg2video', '-f', 'mpeg2video']],
      ['camera.mxf', 'application/mxf', ['-c:v', 'mpeg2video']],
    ])('%s is shown and plays', async (name, mime_type, codec) => {
      const ben = await memberOf(library())
      const { id } = await uploadFile(ben, { name, bytes: await make(name, ...picture('320x240'), ...codec) })
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', file_type: 'video', mime_type, width: 320, height: 240 })
      expect(file.duration).toBeCloseTo(2, 0)
      const shown = await probeAt(library(), file.url)
      expect(shown).toMatchObject({ container: 'mp4', video: { codec: 'h264' } })
      expect(shown.durationSeconds).toBeCloseTo(2, 0)
    })

    test('an MKV that was cut off plays as far as it goes, and says that part of it is missing', async () => {
      const ben = await memberOf(library())
      const whole = await make('cut.mkv', ...picture('160x120', 10), ...sound(10), ...h264AndAac, ...unlike())
      const { id } = await uploadFile(ben, { name: 'cut.mkv', bytes: whole.subarray(0, whole.length / 2) })
      const file = await untilPrepared(ben, id)
      expect(file).toMatchObject({ status: 'ready', partly_damaged: true })
      const shown = await probeAt(library(), file.url)
      expect(shown).toMatchObject({ container: 'mp4', video: { codec: 'h264' } })
      expect(shown.durationSeconds).toBeGreaterThan(1)
    })

    test('an HEVC of a phone can be played by browsers that know it while it is converted', async () => {
      const ben = await memberOf(library())
      const hevc = ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-preset', 'ultrafast', '-tag:v', 'hvc1']
      const codecs = [...hevc, '-pix_fmt', 'yuv420p', '-c:a', 'aac']
      const bytes = await make('phone.mov', ...picture('640x480', 3), ...sound(3), ...codecs, ...unlike())
      const { id } = await uploadFile(ben, { name: 'phone.mov', bytes })
      // Until its poster is stored, and then while it is converted.
      const whileConverted = () => ben.call(getMedia, { params: { id } })
      await expect.poll(whileConverted, { timeout: 50_000, interval: 20 }).toMatchObject({
        status: 'processing',
        url: expect.stringContaining('/originals/'),
        playback_type: 'video/mp4; codecs="hvc1.1.6.L123.B0, mp4a.40.2"',
        thumbnail_url: expect.any(String),
      })
      const ready = await untilPrepared(ben, id)
      expect(ready).toMatchObject({ status: 'ready', playback_type: null })
      expect(await probeAt(library(), ready.url)).toMatchObject({ video: { codec: 'h264' } })
    })

    test.each(['header.wmv', 'init.mp4'])('%s, which has no frames, fails at its first attempt', async name => {
      const ben = await memberOf(library())
      const { id } = await uploadFile(ben, { name, bytes: await withoutFrames(name) })
      // No clock is advanced: a retry would wait for ever.
      expect(await untilPrepared(ben, id)).toMatchObject({
        status: 'failed',
        failure_reason: 'No picture could be taken from the video: there is no picture in it.',
      })
    })

    test("a client's whole conversion is shown, and none is made", async () => {
      const ben = await memberOf(library())
      const original = await make('tape.avi', ...picture(), ...sound(), '-c:v', 'mpeg4', '-c:a', 'mp2', ...unlike())
      const converted = await make('tape.mp4', ...picture(), ...sound(), ...h264AndAac, ...unlike())
      const form = plainForm('tape.avi', converted)
      form.append('files', asFile(original), 'original_tape.avi')
      const { files } = await send(ben, form)
      expect(files).toMatchObject([{ status: 'processing', url: null, file_size: original.length }])
      const file = await untilPrepared(ben, files[0]?.id ?? 0)
      const shown = await fetchFrom(library(), file.url)
      expect(shown.bytes).toEqual(converted)
    })

    test.each([
      ['without its sound', [...picture(), ...h264]],
      ['that is cut short', [...picture('160x120', 0.4), ...sound(0.4), ...h264AndAac]],
    ])("a client's conversion %s is not trusted: another is made", async (_, args) => {
      const ben = await memberOf(library())
      const original = await make(
        'loud.avi',
        ...picture('160x120', 4),
        ...sound(4),
        '-c:v',
        'mpeg4',
        '-c:a',
        'mp2',
        ...unlike(),
      )
      const converted = await make('silent.mp4', ...args, ...unlike())
      const fields = {
        originalName: 'loud.avi',
        uploadId: await sendResumable(ben, original),
        convertedUploadId: await sendResumable(ben, converted),
      }
      const { files } = await finish(ben, fields)
      const file = await untilPrepared(ben, files[0]?.id ?? 0)
      const shown = await probeAt(library(), file.url)
      expect(shown.audio).toMatchObject({ codec: 'aac' })
      expect(shown.durationSeconds).toBeCloseTo(4, 0)
      expect((await remainsOf(library())).uploads).toEqual([])
    })

    test('nothing is left over in the end', async () => {
      await remainsAtRest(library())
      await library().restart()
      const { stored, owned, pendingKeys, scratch } = await remainsAtRest(library())
      expect(stored).toEqual(owned)
      expect([pendingKeys, scratch]).toEqual([[], []])
    })
  },
  { environment: { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH } },
)
