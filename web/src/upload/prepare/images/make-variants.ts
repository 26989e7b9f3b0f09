import { HDR_HEAD_BYTES, hdrColoursOf } from '#contract/hdr-still.ts'
import { variants } from '#contract/limits.ts'
import { LeftToServer } from '../errors.ts'
import { texts } from '../texts.ts'
import { blank, encode, encodePixels, newSurface, type OutputType } from './canvas.ts'
import { decode } from './decode.ts'
import type { MadeVariant, MadeVariants } from './made.ts'
import { browsersShow, HEAD_BYTES, recogniseImage } from './recognise.ts'
import { type PixelRows, type Pixels, resample, rowsOf } from './resample.ts'
import { type Size, sizeOfVariant } from './sizes.ts'

/** From large to small: each is made of the one before it, as on the server. */
const chain = ['desktop', 'website', 'mobile', 'thumbnail'] as const

export async function makeVariants(file: Blob): Promise<MadeVariants> {
  const head = await file.slice(0, HEAD_BYTES).arrayBuffer()
  const format = recogniseImage(new Uint8Array(head))
  if (!format) throw new LeftToServer(texts.leftToServer.unknownPicture)
  const description = await file.slice(0, HDR_HEAD_BYTES).arrayBuffer()
  if (hdrColoursOf(new Uint8Array(description))) throw new LeftToServer(texts.leftToServer.highDynamicRange)
  const type = format === 'png' ? 'image/png' : 'image/jpeg'
  const bitmap = await decode(file, format)
  const { width, height } = bitmap
  try {
    const full = browsersShow(format) ? [] : [await makeFull(bitmap, type)]
    const largest = scaleBitmap(bitmap, sizeOfVariant(bitmap, 'desktop'), type)
    bitmap.close()
    return { width, height, variants: [...full, ...(await makeSmaller(largest, { width, height }, type))] }
  } finally {
    bitmap.close()
  }
}

async function makeFull(bitmap: ImageBitmap, type: OutputType): Promise<MadeVariant> {
  const surface = newSurface(bitmap, type)
  blank(surface)
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
): Promise<MadeVariant[]> {
  const made: MadeVariant[] = []
  let pixels: Pixels = largest
  for (const name of chain) {
    pixels = resample(rowsOf(pixels), sizeOfVariant(original, name), largest.transparent)
    const blob = await encodePixels(pixels, type, variants[name].quality)
    made.push({ type: name, blob, width: pixels.width, height: pixels.height })
  }
  return made
}

const STRIP_ROWS = 64

/** Reads a bitmap through a small canvas; a canvas as large as a panorama would cost as much memory again. */
function rowsOfBitmap(bitmap: ImageBitmap, type: OutputType): PixelRows {
  const { width, height } = bitmap
  const strip = newSurface({ width, height: Math.min(height, STRIP_ROWS) }, type)
  return {
    width,
    height,
    rowsAtOnce: STRIP_ROWS,
    readRows(first, count) {
      blank(strip)
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
