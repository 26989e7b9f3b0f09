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

const test = base.extend<object, { clipFolder: ClipFolder; film: string[] }>({
  clipFolder: [
    async ({ browserName: _ }, use) => {
      await using clipFolder = await openClipFolder()
      await use(clipFolder)
    },
    { scope: 'worker' },
  ],
  /**
   * The ffmpeg input of all clips: a two-second tone and a picture with four different quadrants, which shows the
   * orientation.
   */
  film: [
    async ({ clipFolder }, use) => {
      await drawQuadrants(320, 180).png().toFile(clipFolder.at('quadrants.png'))
      const picture = ['-loop', '1', '-framerate', '25', '-t', '2', '-i', clipFolder.at('quadrants.png')]
      await use([...picture, ...sound(2), '-pix_fmt', 'yuv420p'])
    },
    { scope: 'worker' },
  ],
})

/** Converts a clip and checks the result as the server does: it has to be playable and complete. */
async function convert(preparation: Preparation, clipFolder: ClipFolder, name: string) {
  await copyFile(clipFolder.at(name), preparation.at(name))
  const prepared = await preparation.video(name)
  expect(prepared).toMatchObject({ outcome: 'converted' })
  const source = {
    ...clipFolder,
    path: preparation.at(name),
    probe: await probeVideo(preparation.at(name), clipFolder),
  }
  const { probe } = await verifyConversion(source, prepared.path)
  expect(planConversion(probe)).toEqual({ act: 'plays' })
  expect([...prepared.percents]).toEqual([...prepared.percents].sort((a, b) => a - b))
  return { ...prepared, source: source.probe, probe }
}

async function frameOf(clipFolder: ClipFolder, path: string): Promise<string> {
  return clipFolder.make('frame.png', '-ss', '1', '-i', path, '-frames:v', '1')
}

async function expectUpright(clipFolder: ClipFolder, path: string): Promise<void> {
  const colours = await readQuadrants(await frameOf(clipFolder, path))
  expect(differenceFromQuadrants(colours)).toBeLessThan(30)
}

test('videos that browsers play are kept, and H.264 is put into an MP4 as it is', async ({
  preparation,
  clipFolder,
  film,
}) => {
  await test.step('videos that browsers play are not converted', async () => {
    await clipFolder.make('plays.mp4', ...film, ...h264AndAac)
    await clipFolder.make(
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
      await copyFile(clipFolder.at(name), preparation.at(name))
      expect(await preparation.video(name)).toMatchObject({ outcome: 'plays', percents: [] })
    }
  })
  await test.step('H.264 is put into an MP4 as it is', async () => {
    for (const [name, soundCodec] of rewrapped) {
      await test.step(name, async () => {
        await clipFolder.make(name, ...film, ...h264, ...soundCodec)
        const { how, probe, source, path } = await convert(preparation, clipFolder, name)
        expect(how).toBe('remuxed')
        expect(probe).toMatchObject({ container: 'mp4', width: 320, height: 180, audio: { codec: 'aac' } })
        expect(probe.video).toMatchObject({ codec: 'h264', profile: source.video.profile })
        await expectUpright(clipFolder, path)
        const mp4 = await readFile(path)
        expect(mp4.indexOf('moov'), 'the index is first').toBeLessThan(mp4.indexOf('mdat'))
      })
    }
  })
  await test.step('a video filmed in portrait stays upright when it is put into an MP4', async () => {
    await clipFolder.make('turned.mov', ...film, ...h264AndAac)
    await turnClockwise(clipFolder.at('turned.mov'))
    const { how, probe, path } = await convert(preparation, clipFolder, 'turned.mov')
    expect(how).toBe('remuxed')
    expect(probe).toMatchObject({ width: 180, height: 320 })
    // After the rotation, the blue quadrant at the bottom left is at the top left.
    const [topLeft] = await readQuadrants(await frameOf(clipFolder, path))
    expect(topLeft?.[2]).toBeGreaterThan(150)
  })
  await test.step('a video without sound is converted without sound', async () => {
    await clipFolder.make('silent.mkv', ...film, ...h264, '-an')
    const { how, probe } = await convert(preparation, clipFolder, 'silent.mkv')
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
test('videos are encoded upright, and HDR is left to the server', async ({ preparation, clipFolder, film }) => {
  await test.step('the browser encodes videos that it can decode and other browsers cannot play', async () => {
    await clipFolder.make(
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
    const { how, probe, path, percents } = await convert(preparation, clipFolder, 'clip-vp8.mkv')
    expect(how).toBe('encoded')
    expect(probe).toMatchObject({ width: 320, height: 180, video: { codec: 'h264' }, audio: { codec: 'aac' } })
    expect(probe.video.profile).toContain('Baseline')
    expect(percents.length).toBeGreaterThan(2)
    await expectUpright(clipFolder, path)
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
    await clipFolder.make('turned-ten.mov', ...film, ...tenBits)
    await turnClockwise(clipFolder.at('turned-ten.mov'))
    const { how, probe, path } = await convert(preparation, clipFolder, 'turned-ten.mov')
    expect(how).toBe('encoded')
    expect(probe).toMatchObject({ width: 180, height: 320 })
    const [topLeft] = await readQuadrants(await frameOf(clipFolder, path))
    expect(topLeft?.[2]).toBeGreaterThan(150)
  })
  await test.step('brightness (HDR) is left to the server, which converts it to SDR', async () => {
    for (const [name, transfer, codec] of brighter) {
      const colours = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc']
      await clipFolder.make(name, ...film, ...codec, '-pix_fmt', 'yuv420p10le', ...colours, '-c:a', 'aac')
      await copyFile(clipFolder.at(name), preparation.at(name))
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
test('the fallback library converts what the browser cannot decode', async ({ preparation, clipFolder, film }) => {
  for (const [name, codecs] of beyond) {
    await clipFolder.make(name, ...film, ...codecs)
    const { how, probe, path } = await convert(preparation, clipFolder, name)
    expect(how).toBe('fallback')
    expect(probe).toMatchObject({ width: 320, height: 180, video: { codec: 'h264' }, audio: { codec: 'aac' } })
    await expectUpright(clipFolder, path)
  }
})
