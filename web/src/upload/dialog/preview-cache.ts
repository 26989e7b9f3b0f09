export type Preview = ImageBitmap

/** In pixels: sharp on screens of double density. */
const SIDE = 112
const MAX_CACHED = 300
/** Larger files would take seconds to decode, and the upload needs the CPU too. */
const MAX_BYTES = 60 * 1024 ** 2

/** Least recently used first. Each takes 50 KB. */
const cache = new Map<File, Preview>()
const waiting: { file: File; resolve: (preview: Preview | null) => void }[] = []
let decoding = false

/** Pictures are decoded one at a time, outside the main thread. `cancel` skips one that has not begun. */
export function previewOf(file: File): { picture: Promise<Preview | null>; cancel: () => void } {
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

function keep(file: File, preview: Preview): void {
  cache.set(file, preview)
  const [oldest] = cache.keys()
  // Not closed: a mounted row may still draw it.
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
}

/** The middle square. Null if this browser cannot decode it. */
async function decode(file: File): Promise<Preview | null> {
  if (!file.type.startsWith('image/') || file.size > MAX_BYTES) return null
  try {
    const whole = await createImageBitmap(file)
    const side = Math.min(whole.width, whole.height)
    const [x, y] = [(whole.width - side) / 2, (whole.height - side) / 2]
    const size = { resizeWidth: SIDE, resizeHeight: SIDE, resizeQuality: 'medium' } as const
    const square = await createImageBitmap(whole, x, y, side, side, size)
    whole.close()
    return square
  } catch {
    // Formats such as HEIC and RAW, and damaged files: the row says what becomes of them.
    return null
  }
}
