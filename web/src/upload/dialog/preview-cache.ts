export type Preview = ImageBitmap

/** In pixels: sharp on screens of double density. */
const SIDE = 112
const MAX_CACHED = 300
/** Larger files would take seconds to decode, and the upload needs the CPU too. */
const MAX_BYTES = 60 * 1024 ** 2

/** Least recently used first. Each takes 50 KB. */
const cache = new Map<Blob, Preview>()
const waiting: { file: Blob; resolve: (preview: Preview | null) => void }[] = []
let decoding = false

/** Pictures are decoded one at a time, outside the main thread. `cancel` skips one that has not started. */
export function previewOf(file: Blob): { picture: Promise<Preview | null>; cancel: () => void } {
  const known = cache.get(file)
  if (known !== undefined) {
    cache.delete(file)
    cache.set(file, known)
    return { picture: Promise.resolve(known), cancel: () => {} }
  }
  const { promise: picture, resolve } = Promise.withResolvers<Preview | null>()
  const request = { file, resolve }
  waiting.push(request)
  void decodeWaiting()
  return {
    picture,
    cancel: () => {
      const at = waiting.indexOf(request)
      if (at >= 0) waiting.splice(at, 1)
    },
  }
}

async function decodeWaiting(): Promise<void> {
  if (decoding) return
  decoding = true
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const preview = cache.get(next.file) ?? (await decode(next.file))
    if (preview !== null) keep(next.file, preview)
    next.resolve(preview)
  }
  decoding = false
}

function keep(file: Blob, preview: Preview): void {
  cache.set(file, preview)
  const [oldest] = cache.keys()
  // Not closed: a mounted row may still draw it.
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
}

/** The middle square. Null if this browser cannot decode it. */
async function decode(file: Blob): Promise<Preview | null> {
  const isVideo = file.type.startsWith('video/')
  if (!isVideo && (!file.type.startsWith('image/') || file.size > MAX_BYTES)) return null
  try {
    const whole = isVideo ? await frameOf(file) : await createImageBitmap(file)
    const side = Math.min(whole.width, whole.height)
    const [x, y] = [(whole.width - side) / 2, (whole.height - side) / 2]
    const size = { resizeWidth: SIDE, resizeHeight: SIDE, resizeQuality: 'medium' } as const
    const square = await createImageBitmap(whole, x, y, side, side, size)
    whole.close()
    return square
  } catch {
    // Formats such as HEIC, RAW and MTS, and damaged files: the row says what becomes of them.
    return null
  }
}

/** Reads only the parts of the file that it needs. */
const FRAME_TIMEOUT = 3_000
/** In seconds: the first frames are often black. */
const FRAME_AT = 0.5

async function frameOf(file: Blob): Promise<ImageBitmap> {
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  try {
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.src = url
    await eventOf(video, 'loadeddata')
    video.currentTime = Math.min(FRAME_AT, video.duration / 2)
    await eventOf(video, 'seeked')
    return await createImageBitmap(video)
  } finally {
    // Stops loading and releases the decoder.
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

function eventOf(video: HTMLVideoElement, name: 'loadeddata' | 'seeked'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('The video takes too long to load')), FRAME_TIMEOUT)
  video.addEventListener(name, () => resolve(), { once: true })
  video.addEventListener('error', () => reject(new Error('This browser cannot play the video')), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
