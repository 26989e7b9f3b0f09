import {
  Conversion,
  type ConversionAudioOptions,
  canEncodeAudio,
  type InputAudioTrack,
  Mp4OutputFormat,
  Output,
  Quality,
  type Target,
  VideoSampleSink,
  VideoSampleSource,
} from 'mediabunny'
import { CannotPrepare } from '../prepare.ts'
import { baselineFor, encodedSize, soundGoesIntoMp4 } from './decide.ts'
import type { OpenVideo } from './probe.ts'

const BITS_PER_SECOND = 2_000_000
export const FRAMES_PER_SECOND = 30
const SOUND_BITS_PER_SECOND = 128_000

type Report = (percent: number) => void

/** Copies the video track into an MP4 and converts the audio only if browsers do not play it. */
export async function remux(video: OpenVideo, target: Target, report: Report): Promise<void> {
  const conversion = await Conversion.init({
    input: video.input,
    output: new Output({ format: new Mp4OutputFormat({ fastStart: false }), target }),
    tracks: 'primary',
    audio: await soundOptions(video.sound),
    // Camcorder streams start at arbitrary timestamps; both tracks are shifted by the same amount.
    copy: { shiftTolerance: Number.POSITIVE_INFINITY },
    tags: {},
    showWarnings: false,
  })
  assertNoTrackLost(video, conversion)
  conversion.onProgress = progress => report(100 * progress)
  await cancelOnError(conversion, conversion.execute())
}

/** Encodes the video track upright and copies the audio if browsers play it. */
export async function encode(video: OpenVideo, target: Target, report: Report): Promise<void> {
  const { input, picture, sound } = video
  if (typeof VideoEncoder === 'undefined') throw new CannotPrepare('noEncoder')
  if (!(await picture.canDecode())) throw new CannotPrepare('noDecoder')
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target })
  const frames = await frameEncoder(video)
  output.addVideoTrack(frames, { frameRate: FRAMES_PER_SECOND })
  const start = Math.max(0, await input.getFirstTimestamp(sound ? [picture, sound] : [picture]))
  const soundConversion = await Conversion.init({
    input,
    output,
    composable: true,
    tracks: 'primary',
    video: { discard: true },
    audio: await soundOptions(sound),
    trim: { start },
    showWarnings: false,
  })
  assertNoTrackLost({ ...video, picture: null }, soundConversion)
  const end = await picture.computeDuration()
  await output.start()
  const progress = (time: number) => report((100 * (time - start)) / (end - start))
  await cancelOnError(
    output,
    Promise.all([sound && soundConversion.execute(), encodeFrames(video, frames, start, progress)]),
  )
  await output.finalize()
}

/** If one part fails, the other must stop writing. */
async function cancelOnError(running: { cancel(): Promise<void> }, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    await running.cancel()
    throw error
  }
}

async function frameEncoder({ picture }: OpenVideo): Promise<VideoSampleSource> {
  const { width, height } = encodedSize(await picture.getDisplayWidth(), await picture.getDisplayHeight())
  const codec = baselineFor(width, height, FRAMES_PER_SECOND)
  const config = { codec, width, height, bitrate: BITS_PER_SECOND, framerate: FRAMES_PER_SECOND }
  const { supported } = await VideoEncoder.isConfigSupported(config)
  if (!supported) throw new CannotPrepare('noSuchEncoder')
  return new VideoSampleSource({
    codec: 'avc',
    fullCodecString: codec,
    quality: new Quality({ bitrate: BITS_PER_SECOND }),
    sizeChangeBehavior: 'contain',
    transform: { width, height, frameRate: FRAMES_PER_SECOND, force: true },
  })
}

async function encodeFrames(
  { picture }: OpenVideo,
  frames: VideoSampleSource,
  start: number,
  report: (time: number) => void,
): Promise<void> {
  for await (const frame of new VideoSampleSink(picture).samples()) {
    try {
      report(frame.timestamp)
      frame.setTimestamp(Math.max(0, frame.timestamp - start))
      await frames.add(frame)
    } finally {
      frame.close()
    }
  }
  frames.close()
}

async function soundOptions(sound: InputAudioTrack | null): Promise<ConversionAudioOptions> {
  if (!sound) return {}
  const codec = await sound.getCodec()
  if (soundGoesIntoMp4({ codec })) return {}
  if (codec === 'ac3' || codec === 'eac3') (await import('@mediabunny/ac3')).registerAc3Decoder()
  const numberOfChannels = Math.min(2, await sound.getNumberOfChannels())
  const sampleRate = await sound.getSampleRate()
  if (!(await canEncodeAudio('aac', { numberOfChannels, sampleRate }))) {
    ;(await import('@mediabunny/aac-encoder')).registerAacEncoder()
  }
  return {
    codec: 'aac',
    quality: new Quality({ bitrate: SOUND_BITS_PER_SECOND }),
    numberOfChannels,
    forceTranscode: true,
  }
}

/** mediabunny drops tracks that it cannot handle; here that is an error. */
function assertNoTrackLost(wanted: { picture: unknown; sound: unknown }, { utilizedTracks }: Conversion): void {
  const used = new Set<unknown>(utilizedTracks)
  if (wanted.picture && !used.has(wanted.picture)) throw new CannotPrepare('pictureLost')
  if (wanted.sound && !used.has(wanted.sound)) throw new CannotPrepare('soundLost')
}
