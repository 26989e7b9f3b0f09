import { resolve } from 'node:path'
import { defaultVideoLimits, type VideoLimits } from './run-ffmpeg.ts'

/**
 * Containers that hold their own picture and sound. Everything else that ffmpeg opens is left out, above all what can
 * make it read or fetch something else: playlists (HLS, DASH, concat, SDP), image sequences, generated sources.
 */
const CONTAINERS = [
  ...['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'],
  ...['matroska', 'webm'],
  ...['mpegts', 'mpeg', 'avi', 'asf', 'flv', 'ogg', 'dv', 'mxf'],
]

/** 8K from an all-round camera fits; a frame of a gigabyte, made to exhaust the memory, does not. */
export const MAX_VIDEO_PIXELS = 8192 * 8192

/**
 * The arguments that open a file, and nothing but that file, whatever its name or content. Streams are looked for in
 * the first 50 MB: where the sound of a camcorder sets in late, the defaults would miss it.
 */
export function inputFile(path: string, limits: Partial<VideoLimits> = {}): string[] {
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS.join(',')],
    ...['-max_pixels', String(MAX_VIDEO_PIXELS), '-probesize', '50M', '-analyzeduration', '30M'],
    ...['-threads', String(limits.threads ?? defaultVideoLimits.threads)],
    ...['-i', localFile(path)],
  ]
}

/** A name for ffmpeg that can't be taken for an option, another protocol or a pattern. */
export function localFile(path: string): string {
  return `file:${resolve(path)}`
}
