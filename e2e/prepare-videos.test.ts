import { copyFile, readFile } from 'node:fs/promises'
import { verifyConversion } from '../server/src/processing/video/convert.ts'
import { planConversion } from '../server/src/processing/video/playback.ts'
import { probeVideo } from '../server/src/processing/video/probe.ts'
import { differenceFromQuadrants, drawQuadrants, readQuadrants } from '../server/test/processing/pictures.ts'
import {
  type ClipFolder,
  h264,
  h264AndAac,
  openClipFolder,
  sound,
  turnClockwise,
} from '../server/test/processing/video-clips.ts'
import { test as base, expect, type Preparation } from './support/prepare/preparation.ts'

const test = base.extend<object, { workshop: ClipFolder; film: string[] }>({
  workshop: [
    async ({ browserName: _ }, use) => {
      await using workshop = await openClipFolder()
      await use(workshop)
    },
    { scope: 'worker' },
  ],
  /**
   * The ffmpeg input of all clips: a two-second tone and a picture with four different quadrants, which shows the
   * orientation.
   */
  film: [
    async ({ workshop }, use) => {
      await drawQuadrants(320, 180).png().toFile(workshop.at('quadrants.png'))
      const picture = ['-loop', '1', '-framerate', '25', '-t', '2', '-i', workshop.at('quadrants.png')]
      await use([...picture, ...sound(2), '-pix_fmt', 'yuv420p'])
    },
    { scope: 'worker' },
  ],
})

/** Converts a clip and checks the result as the server does: it has to be playable and complete. */
async function convert(preparation: Preparation, workshop: ClipFolder, name: string) {
  await copyFile(workshop.at(name), preparation.at(name))
  const prepared = await preparation.video(name)
  expect(prepared).toMatchObject({ outcome: 'converted' })
  const source = { ...workshop, path: preparation.at(name), probe: await probeVideo(preparation.at(name), workshop) }
  const probe = await verifyConversion(source, prepared.path)
  expect(planConversion(probe)).toEqual({ act: 'plays' })
  expect([...prepared.percents]).toEqual([...prepared.percents].sort((a, b) => a - b))
  return { ...prepared, source: source.probe, probe }
}

async function frameOf(workshop: ClipFolder, path: string): Promise<string> {
  return workshop.make('frame.png', '-ss', '1', '-i', path, '-frames:v', '1')
}

async function expectUpright(workshop: ClipFolder, path: string): Promise<void> {
  const colours = await readQuadrants(await frameOf(workshop, path))
  expect(differenceFromQuadrants(colours)).toBeLessThan(30)
}

test('videos that browsers play are kept, and H.264 is put into an MP4 as it is', async ({
  preparation,
  workshop,
  film,
}) => {
  await test.step('videos that browsers play are not converted', async () => {
    await workshop.make('plays.mp4', ...film, ...h264AndAac)
    await workshop.make(
      'plays.webm',
      ...film,
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-c:a',
      'libopus',
    )
    for (const name of ['plays.mp4', 'plays.webm']) {
      await copyFile(workshop.at(name), preparation.at(name))
      expect(await preparation.video(name)).toMatchObject({ outcome: 'plays', percents: [] })
    }
  })
  await test.step('H.264 is put into an MP4 as it is', async () => {
    for (const [name, soundCodec] of rewrapped) {
      await test.step(name, async () => {
        await workshop.make(name, ...film, ...h264, ...soundCodec)
        const { how, probe, source, path } = await convert(preparation, workshop, name)
        expect(how).toBe('remuxed')
        expect(probe).toMatchObject({ container: 'mp4', width: 320, height: 180, audio: { codec: 'aac' } })
        expect(probe.video).toMatchObject({ codec: 'h264', profile: source.video.profile })
        await expectUpright(workshop, path)
        const mp4 = await readFile(path)
        expect(mp4.indexOf('moov'), 'the index stands first').toBeLessThan(mp4.indexOf('mdat'))
      })
    }
  })
  await test.step('a video filmed in portrait stays upright when it is put into an MP4', async () => {
    await workshop.make('turned.mov', ...film, ...h264AndAac)
    await turnClockwise(workshop.at('turned.mov'))
    const { how, probe, path } = await convert(preparation, workshop, 'turned.mov')
    expect(how).toBe('remuxed')
    expect(probe).toMatchObject({ width: 180, height: 320 })
    // After the rotation, the blue quadrant at the bottom left is at the top left.
    const [topLeft] = await readQuadrants(await frameOf(workshop, path))
    expect(topLeft?.[2]).toBeGreaterThan(150)
  })
  await test.step('a video without sound is converted without sound', async () => {
    await workshop.make('silent.mkv', ...film, ...h264, '-an')
    const { how, probe } = await convert(preparation, workshop, 'silent.mkv')
    expect(how).toBe('remuxed')
    expect(probe.audio).toBeNull()
  })
})

const rewrapped: [name: string, sound: string[]][] = [
  ['clip.mkv', ['-c:a', 'aac']],
  ['clip.mov', ['-c:a', 'pcm_s16le']],
  ['clip.m4v', ['-c:a', 'aac']],
  ['clip.mts', ['-c:a', 'ac3']],
]
test('videos are encoded upright, and HDR is left to the server', async ({ preparation, workshop, film }) => {
  await test.step('the browser encodes videos that it can decode and other browsers cannot play', async () => {
    await workshop.make(
      'clip-vp8.mkv',
      ...film,
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-c:a',
      'libvorbis',
    )
    const { how, probe, path, percents } = await convert(preparation, workshop, 'clip-vp8.mkv')
    expect(how).toBe('encoded')
    expect(probe).toMatchObject({ width: 320, height: 180, video: { codec: 'h264' }, audio: { codec: 'aac' } })
    expect(probe.video.profile).toContain('Baseline')
    expect(percents.length).toBeGreaterThan(2)
    await expectUpright(workshop, path)
  })
  await test.step('a rotated video is encoded upright', async () => {
    const tenBits = [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-profile:v',
      'high10',
      '-pix_fmt',
      'yuv420p10le',
      '-c:a',
      'aac',
    ]
    await workshop.make('turned-ten.mov', ...film, ...tenBits)
    await turnClockwise(workshop.at('turned-ten.mov'))
    const { how, probe, path } = await convert(preparation, workshop, 'turned-ten.mov')
    expect(how).toBe('encoded')
    expect(probe).toMatchObject({ width: 180, height: 320 })
    const [topLeft] = await readQuadrants(await frameOf(workshop, path))
    expect(topLeft?.[2]).toBeGreaterThan(150)
  })
  await test.step('brightness (HDR) is left to the server, which converts it to SDR', async () => {
    for (const [name, transfer, codec] of brighter) {
      const colours = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc']
      await workshop.make(name, ...film, ...codec, '-pix_fmt', 'yuv420p10le', ...colours, '-c:a', 'aac')
      await copyFile(workshop.at(name), preparation.at(name))
      expect(await preparation.video(name)).toMatchObject({
        outcome: 'server',
        reason: 'Its colours (HDR) are converted best on the server.',
        percents: [],
      })
    }
  })
})

const brighter: [name: string, transfer: string, codec: string[]][] = [
  ['pq.mov', 'smpte2084', ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1']],
  ['hlg.mkv', 'arib-std-b67', ['-c:v', 'libx264', '-preset', 'ultrafast', '-profile:v', 'high10']],
]
const beyond: [name: string, codecs: string[]][] = [
  ['clip.avi', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']],
  ['clip-hevc.mkv', ['-c:v', 'libx265', '-preset', 'ultrafast', '-c:a', 'aac']],
]
test('the fallback library converts what the browser cannot decode', async ({ preparation, workshop, film }) => {
  for (const [name, codecs] of beyond) {
    await workshop.make(name, ...film, ...codecs)
    const { how, probe, path } = await convert(preparation, workshop, name)
    expect(how).toBe('fallback')
    expect(probe).toMatchObject({ width: 320, height: 180, video: { codec: 'h264' }, audio: { codec: 'aac' } })
    await expectUpright(workshop, path)
  }
})
