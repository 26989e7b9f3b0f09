import type { ByteRange } from './file-window.ts'

const CAMERA = 'http://ns.google.com/photos/1.0/camera/'
const ITEM = 'http://ns.google.com/photos/1.0/container/item/'

/**
 * Where the XMP of a photo says that its clip lies: `MotionPhoto` with a directory of what the file consists of, or the
 * older `MicroVideo` with an offset from the end. https://developer.android.com/media/platform/motion-photo-format
 */
export function clipsInXmp(xmp: string, fileSize: number): ByteRange[] {
  const camera = readerOf(xmp, CAMERA)
  const [motionPhoto, microVideo] = [camera(xmp, 'MotionPhoto'), camera(xmp, 'MicroVideo')]
  const clips: ByteRange[] = []
  if (motionPhoto === '1') clips.push(...clipsInDirectory(xmp, fileSize))
  const length = wholeNumber(camera(xmp, 'MicroVideoOffset'))
  if (length > 0 && (microVideo === '1' || motionPhoto === '1')) clips.push({ offset: fileSize - length, length })
  return clips
}

/** The items lie in the file in the order of the directory, the last at the end. The first is the picture itself. */
function clipsInDirectory(xmp: string, fileSize: number): ByteRange[] {
  const item = readerOf(xmp, ITEM)
  const items = xmp.split(/<[\w-]{1,40}:li\b/).slice(1)
  const clips: ByteRange[] = []
  let end = fileSize
  for (const text of items.reverse()) {
    const length = wholeNumber(item(text, 'Length'))
    end -= wholeNumber(item(text, 'Padding'))
    const offset = end - length
    if (item(text, 'Semantic') === 'MotionPhoto' && length > 0) clips.push({ offset, length })
    end = offset
  }
  return clips
}

/** Reads properties of a namespace, written as attributes or as elements. Repetitions are bounded: XMP may be hostile. */
function readerOf(xmp: string, namespace: string): (text: string, name: string) => string | undefined {
  const declared = new RegExp(`xmlns:([\\w-]{1,40})\\s{0,8}=\\s{0,8}["']${namespace}["']`).exec(xmp)
  const prefix = declared?.[1]
  return (text, name) => {
    if (prefix === undefined) return undefined
    const property = `[\\s<]${prefix}:${name}\\s{0,8}(?:=\\s{0,8}["']([^"']{0,64})["']|>\\s{0,8}([^<]{0,64})<)`
    const [, attribute, element] = new RegExp(property).exec(text) ?? []
    return (attribute ?? element)?.trim()
  }
}

function wholeNumber(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0
}
