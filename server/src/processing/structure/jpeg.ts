import type { FileWindow } from './file-window.ts'
import { type LimitExceeded, METADATA_TOO_LARGE, structureLimits, tooManyMessage } from './limits.ts'

const [SOI, EOI, SOS, APP1, TEM] = [0xd8, 0xd9, 0xda, 0xe1, 0x01]
const XMP = 'http://ns.adobe.com/xap/1.0/\0'

/** A segment of a JPEG: a marker and what follows it. */
interface Segment {
  readonly marker: number
  /** Offset of its content, after the length. */
  readonly start: number
  readonly length: number
}

/** The segments of a JPEG. Bytes between them, such as the data of a scan, are skipped. */
async function* segmentsIn(file: FileWindow): AsyncGenerator<Segment> {
  for (let at = 0; ; ) {
    const found = await nextMarker(file, at)
    if (!found || found.marker === EOI) return
    const head = await file.bytes(found.end, 2)
    if (head.length < 2) return
    const length = Math.max(2, head.readUInt16BE(0))
    yield { marker: found.marker, start: found.end + 2, length: length - 2 }
    at = found.end + length
  }
}

/** The XMP packets before the pixels. */
export async function* xmpOfJpeg(file: FileWindow): AsyncGenerator<string> {
  let segments = 0
  for await (const { marker, start, length } of segmentsIn(file)) {
    if (marker === SOS || ++segments > structureLimits.segments) return
    if (marker !== APP1) continue
    const content = await file.bytes(start, length)
    if (startsWith(content, XMP)) yield content.toString('utf8', XMP.length)
  }
}

/** Whether it has only the segments that decoders use, and nothing after its end. */
export async function isPictureOnlyJpeg(file: FileWindow): Promise<boolean> {
  let end = 0
  for await (const { marker, start, length } of segmentsIn(file)) {
    const isPixels = marker >= 0xc0 && marker <= 0xdd
    if (!isPixels && !isForDecoders(marker, await file.bytes(start, Math.min(length, 16)))) return false
    end = start + length
  }
  const last = await nextMarker(file, end)
  return last?.marker === EOI && (await file.bytes(last.end, 1)).length === 0
}

/** The segments of JFIF without a preview, colour profiles and the colour space. */
function isForDecoders(marker: number, head: Buffer): boolean {
  if (marker === 0xe0) return startsWith(head, 'JFIF\0') && head.length === 14
  if (marker === 0xe2) return startsWith(head, 'ICC_PROFILE\0')
  return marker === 0xee && startsWith(head, 'Adobe') && head.length === 12
}

/** Counts scans, segments and metadata. Does not read the data of an ordinary photo, which has a single scan. */
export async function inspectJpeg(file: FileWindow): Promise<LimitExceeded> {
  let [scans, segments, metadataBytes, components] = [0, 0, 0, 0]
  let progressive = false

  const excess = (picture?: string): LimitExceeded => ({
    ...(picture ? { picture } : {}),
    ...(metadataBytes > structureLimits.metadataBytes ? { metadata: METADATA_TOO_LARGE } : {}),
  })

  for await (const { marker, start, length } of segmentsIn(file)) {
    const head = await file.bytes(start, 6)
    if (isFrame(marker) && head.length === 6) {
      components = head[5] ?? 0
      progressive = [0xc2, 0xc6, 0xca, 0xce].includes(marker)
    } else if (marker === SOS) {
      scans++
      if (scans > structureLimits.jpegScans) return excess(tooManyMessage(structureLimits.jpegScans, 'scans'))
      // The only scan of a baseline picture: decoders stop here.
      if (!progressive && components > 0 && head[0] === components) return excess()
    } else {
      segments++
      if (segments > structureLimits.segments) return excess(tooManyMessage(structureLimits.segments, 'segments'))
      if (marker === APP1) metadataBytes += length
    }
  }
  return excess()
}

/**
 * The next marker with content, or the end; undefined if there is none up to about `limit`. Others are skipped
 * synchronously, since a scan may have millions.
 */
export async function nextMarker(
  file: FileWindow,
  from: number,
  limit = Number.POSITIVE_INFINITY,
): Promise<{ marker: number; end: number } | undefined> {
  for (let at = from; at < limit; ) {
    const bytes = await file.rest(at)
    if (bytes.length < 2) return undefined
    for (
      let index = bytes.indexOf(0xff);
      index !== -1 && index + 1 < bytes.length;
      index = bytes.indexOf(0xff, index + 1)
    ) {
      const marker = bytes[index + 1] ?? 0
      if (!isBare(marker)) return { marker, end: at + index + 2 }
    }
    // The last byte may be the first of a marker.
    at += bytes.length - 1
  }
  return undefined
}

/** Markers without content: stuffed bytes, padding and restart markers. */
function isBare(marker: number): boolean {
  return marker === 0 || marker === 0xff || marker === SOI || marker === TEM || (marker >= 0xd0 && marker <= 0xd7)
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function startsWith(content: Buffer, signature: string): boolean {
  return content.toString('latin1', 0, signature.length) === signature
}
