import {
  ALL_FORMATS,
  BlobSource,
  Input,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  WEBM,
} from 'mediabunny'
import type { Picture, Sound, VideoFacts } from './decide.ts'

export interface OpenVideo {
  readonly input: Input
  readonly picture: InputVideoTrack
  readonly sound: InputAudioTrack | null
  readonly facts: VideoFacts
}

/** Opens a video; undefined when there is no picture in it that mediabunny sees. */
export async function openVideo(file: Blob): Promise<OpenVideo | undefined> {
  const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS })
  if (!(await input.canRead())) return undefined
  const picture = await input.getPrimaryVideoTrack()
  if (!picture) return undefined
  const sound = await input.getPrimaryAudioTrack()
  const container = containerOf(await input.getFormat(), await majorBrand(file))
  const facts = { container, picture: await pictureFacts(picture), sound: sound && (await soundFacts(sound)) }
  return { input, picture, sound, facts }
}

function containerOf(format: InputFormat, brand: string): VideoFacts['container'] {
  // Apple's own kind of MP4 and the kind of old phones are read like MP4, but not all that is in them is played.
  if (format === MP4) return brand.startsWith('M4V') || brand.startsWith('3g') ? 'm4v' : 'mp4'
  if (format === QTFF) return 'mov'
  if (format === WEBM) return 'webm'
  if (format === MATROSKA) return 'mkv'
  return format === MPEG_TS ? 'mpegts' : 'other'
}

async function majorBrand(file: Blob): Promise<string> {
  return (await file.slice(8, 12).text()).trim()
}

async function pictureFacts(track: InputVideoTrack): Promise<Picture> {
  const [codec, codecString, codedWidth, codedHeight] = await Promise.all([
    track.getCodec(),
    track.getCodecParameterString(),
    track.getCodedWidth(),
    track.getCodedHeight(),
  ])
  return { codec, codecString, codedWidth, codedHeight }
}

async function soundFacts(track: InputAudioTrack): Promise<Sound> {
  return { codec: await track.getCodec() }
}
