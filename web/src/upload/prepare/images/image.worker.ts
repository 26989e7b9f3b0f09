import { HDR_HEAD_BYTES, hdrColoursOf } from '#contract/hdr-still.ts'
import { variants } from '#contract/limits.ts'
import { CannotPrepare, type ImageVariant, type ImageVariants } from '../prepare.ts'
import { serveTask } from '../worker-pool.ts'
import { decode, detectFormat, HEAD_BYTES, isBrowserFormat } from './decode.ts'
import { type PixelRows, type Pixels, resample, rowsOf, type Size, sizeOfVariant } from './resample.ts'

serveTask(makeVariants)

/** Largest first: each variant is made from the previous one, as on the server. */
const chain = ['desktop', 'website', 'mobile', 'thumbnail'] as const

async function makeVariants(file: Blob): Promise<ImageVariants> {
  const head = await file.slice(0, HEAD_BYTES).arrayBuffer()
  const format = detectFormat(new Uint8Array(head))
  if (!format) throw new CannotPrepare('unknownPicture')
  const description = await file.slice(0, HDR_HEAD_BYTES).arrayBuffer()
  if (hdrColoursOf(new Uint8Array(description))) throw new CannotPrepare('highDynamicRange')
  const type = format === 'png' ? 'image/png' : 'image/jpeg'
  const bitmap = await decode(file, format)
  const { width, height } = bitmap
  try {
    const full = isBrowserFormat(format) ? [] : [await makeFull(bitmap, type)]
    const largest = scaleBitmap(bitmap, sizeOfVariant(bitmap, 'desktop'), type)
    bitmap.close()
    return { width, height, variants: [...full, ...(await makeSmaller(largest, { width, height }, type))] }
  } finally {
    bitmap.close()
  }
}

async function makeFull(bitmap: ImageBitmap, type: OutputType): Promise<ImageVariant> {
  const surface = createSurface(bitmap, type)
  clear(surface)
  surface.context.drawImage(bitmap, 0, 0)
  const blob = await encode(surface, variants.full.quality)
  return { type: 'full', blob, width: bitmap.width, height: bitmap.height }
}

function scaleBitmap(bitmap: ImageBitmap, size: Size, type: OutputType): Pixels & { transparent: boolean } {
  const rows = rowsOfBitmap(bitmap, type)
  const transparent = type === 'image/png' && hasTransparency(rows)
  return { ...resample(rows, size, transparent), transparent }
}

async function makeSmaller(
  largest: Pixels & { transparent: boolean },
  original: Size,
  type: OutputType,
): Promise<ImageVariant[]> {
  const made: ImageVariant[] = []
  let pixels: Pixels = largest
  for (const name of chain) {
    pixels = resample(rowsOf(pixels), sizeOfVariant(original, name), largest.transparent)
    const blob = await encodePixels(pixels, type, variants[name].quality)
    made.push({ type: name, blob, width: pixels.width, height: pixels.height })
  }
  return made
}

const STRIP_ROWS = 64

/** Reads a bitmap through a small canvas, because a full-size canvas would double the memory. */
function rowsOfBitmap(bitmap: ImageBitmap, type: OutputType): PixelRows {
  const { width, height } = bitmap
  const strip = createSurface({ width, height: Math.min(height, STRIP_ROWS) }, type)
  return {
    width,
    height,
    rowsAtOnce: STRIP_ROWS,
    readRows(first, count) {
      clear(strip)
      strip.context.drawImage(bitmap, 0, first, width, count, 0, 0, width, count)
      return new Int32Array(strip.context.getImageData(0, 0, width, count).data.buffer)
    },
  }
}

function hasTransparency(rows: PixelRows): boolean {
  for (let first = 0; first < rows.height; first += STRIP_ROWS) {
    const strip = rows.readRows(first, Math.min(STRIP_ROWS, rows.height - first))
    if (strip.some(pixel => pixel >>> 24 !== 255)) return true
  }
  return false
}

type OutputType = 'image/png' | 'image/jpeg'

/** A canvas with a white background for formats without transparency. */
function createSurface({ width, height }: Size, type: OutputType): Surface {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: type === 'image/png', willReadFrequently: true })
  if (!context) throw new CannotPrepare('noCanvas')
  return { canvas, context, type }
}

interface Surface {
  readonly canvas: OffscreenCanvas
  readonly context: OffscreenCanvasRenderingContext2D
  readonly type: OutputType
}

function clear({ canvas, context, type }: Surface): void {
  context.clearRect(0, 0, canvas.width, canvas.height)
  if (type === 'image/png') return
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
}

async function encode({ canvas, type }: Surface, quality: number): Promise<Blob> {
  const blob = await canvas.convertToBlob({ type, quality }).catch(() => undefined)
  if (blob?.type !== type) throw new CannotPrepare('noBlob')
  return blob
}

async function encodePixels(pixels: Pixels, type: OutputType, quality: number): Promise<Blob> {
  const surface = createSurface(pixels, type)
  const bytes = new Uint8ClampedArray(pixels.data.buffer, pixels.data.byteOffset, pixels.data.byteLength)
  surface.context.putImageData(new ImageData(bytes, pixels.width, pixels.height), 0, 0)
  return encode(surface, quality)
}
