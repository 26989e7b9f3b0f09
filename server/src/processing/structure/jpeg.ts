import type { FileWindow } from './file-window.ts'
import { type Excess, kept, METADATA_TOO_DEEP, METADATA_TOO_LARGE, structureLimits } from './limits.ts'
import { measureXmlDepth } from './xml-depth.ts'

const [SOI, EOI, SOS, APP1, TEM] = [0xd8, 0xd9, 0xda, 0xe1, 0x01]
const XMP = 'http://ns.adobe.com/xap/1.0/\0'
/** Followed by 40 bytes that say which piece of the whole it is. */
const EXTENDED_XMP = 'http://ns.adobe.com/xmp/extension/\0'
const EXTENDED_HEADER = EXTENDED_XMP.length + 40

/** Walks the segments up to the end of the picture. The pixels of an ordinary photo, one scan of all colours, are not read. */
export async function inspectJpeg(file: FileWindow): Promise<Excess> {
  let [scans, segments, metadataBytes, components] = [0, 0, 0, 0]
  let progressive = false
  const [xmp, extendedXmp] = [measureXmlDepth(), measureXmlDepth()]
  let at = 0

  const excess = (picture?: string): Excess => ({
    ...(picture ? { picture } : {}),
    ...(metadataBytes > structureLimits.metadataBytes ? { metadata: METADATA_TOO_LARGE } : {}),
    ...(Math.max(xmp.deepest, extendedXmp.deepest) > structureLimits.xmpDepth ? { metadata: METADATA_TOO_DEEP } : {}),
  })

  for (;;) {
    const found = await nextMarker(file, at)
    if (!found || found.marker === EOI) return excess()
    at = found.end
    const head = await file.bytes(at, 8)
    if (head.length < 2) return excess()
    const length = Math.max(2, head.readUInt16BE(0))
    if (isFrame(found.marker) && head.length === 8) {
      components = head[7] ?? 0
      progressive = [0xc2, 0xc6, 0xca, 0xce].includes(found.marker)
    } else if (found.marker === SOS) {
      scans++
      if (scans > structureLimits.jpegScans) return excess(kept(structureLimits.jpegScans, 'scans'))
      // Decoders stop after the only scan of a picture that needs no other.
      if (!progressive && components > 0 && head[2] === components) return excess()
    } else {
      segments++
      if (segments > structureLimits.segments) return excess(kept(structureLimits.segments, 'segments'))
      if (found.marker === APP1) {
        metadataBytes += length - 2
        if (metadataBytes <= structureLimits.metadataBytes) {
          const content = await file.bytes(at + 2, length - 2)
          if (startsWith(content, XMP)) {
            xmp.startText()
            xmp.read(content.subarray(XMP.length))
          } else if (startsWith(content, EXTENDED_XMP)) {
            extendedXmp.read(content.subarray(EXTENDED_HEADER))
          }
        }
      }
    }
    at += length
  }
}

/** The next marker that has content, or the end. A scan may hold millions of others: those are passed over without waiting. */
async function nextMarker(file: FileWindow, from: number): Promise<{ marker: number; end: number } | undefined> {
  for (let at = from; ; ) {
    const bytes = await file.rest(at)
    if (bytes.length < 2) return undefined
    for (let index = 0; index + 1 < bytes.length; index++) {
      if (bytes[index] !== 0xff) continue
      const marker = bytes[index + 1] ?? 0
      if (!isBare(marker)) return { marker, end: at + index + 2 }
    }
    // The last byte may be the first half of a marker.
    at += bytes.length - 1
  }
}

/** Without content: a byte of pixels, filling, and the restart markers between the pieces of a scan. */
function isBare(marker: number): boolean {
  return marker === 0 || marker === 0xff || marker === SOI || marker === TEM || (marker >= 0xd0 && marker <= 0xd7)
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function startsWith(content: Buffer, signature: string): boolean {
  return content.toString('latin1', 0, signature.length) === signature
}
