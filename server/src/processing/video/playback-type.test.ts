import { afterAll, expect, test, vi } from 'vitest'
import { sandboxHere } from '../test-support/sandbox.ts'
import { convertVideo } from './convert.ts'
import { planCompatibleConversion, planConversion } from './decide.ts'
import { playbackType } from './playback-type.ts'
import { probeVideo } from './probe.ts'
import { h264, h264AndAac, openClipFolder, PATIENCE, picture, sound } from './test-clips.ts'

vi.setConfig(PATIENCE)
const workshop = await openClipFolder(sandboxHere)
const { make } = workshop
afterAll(() => workshop[Symbol.asyncDispose]())

const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']
const av1 = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime']

test.each([
  ['h264-aac.mp4', h264AndAac, null],
  ['av1-aac.mp4', [...av1, '-c:a', 'aac'], 'video/mp4; codecs="av01.0.01M.08, mp4a.40.2"'],
  ['av1-opus.webm', [...av1, '-c:a', 'libopus'], 'video/webm; codecs="av01.0.01M.08, opus"'],
  ['vp9-opus.webm', [...vp9, '-c:a', 'libopus'], 'video/webm; codecs="vp09.00.21.08, opus"'],
  ['vp9-10.webm', [...vp9, '-pix_fmt', 'yuv420p10le', '-an'], 'video/webm; codecs="vp09.02.21.10"'],
  ['vp8-vorbis.webm', ['-c:v', 'libvpx', '-c:a', 'libvorbis'], 'video/webm; codecs="vp8, vorbis"'],
  ['h264-opus.mp4', [...h264, '-c:a', 'libopus'], 'video/mp4; codecs="avc1.640028, opus"'],
] as const)(
  '%s is converted for devices that lack its codecs, and what is made plays everywhere',
  async (name, codecs, type) => {
    const path = await make(name, ...picture('160x120', 1), ...sound(1), ...codecs)
    const probe = await probeVideo(path, workshop)
    // A browser that knows the codecs plays all of them as they are.
    expect(planConversion(probe)).toEqual({ act: 'plays' })
    expect(playbackType(probe)).toBe(type)
    const plan = planCompatibleConversion(probe)
    if (plan.act === 'plays') return expect(type).toBeNull()
    const outPath = `${path}.compatible.mp4`
    const made = await convertVideo({ ...workshop, path, probe, plan, outPath })
    // Picture that is H.264 already is kept.
    expect(made.act).toBe(name.startsWith('h264') ? 'rewrap' : 'transcode')
    expect(made.probe).toMatchObject({ container: 'mp4', video: { codec: 'h264', pixelFormat: 'yuv420p' } })
    expect(made.probe.audio?.codec).toBe(probe.audio ? 'aac' : undefined)
    expect(playbackType(made.probe)).toBeNull()
  },
)
