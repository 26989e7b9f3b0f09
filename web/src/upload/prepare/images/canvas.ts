import { LeftToServer } from '../errors.ts'
import { texts } from '../texts.ts'
import type { Pixels } from './resample.ts'
import type { Size } from './sizes.ts'

export type OutputType = 'image/png' | 'image/jpeg'

/** A surface in this worker's memory, white where the picture's type knows no transparency. */
export function newSurface({ width, height }: Size, type: OutputType): Surface {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: type === 'image/png', willReadFrequently: true })
  if (!context) throw new LeftToServer(texts.errors.noCanvas)
  return { canvas, context, type }
}

export interface Surface {
  readonly canvas: OffscreenCanvas
  readonly context: OffscreenCanvasRenderingContext2D
  readonly type: OutputType
}

/** Makes a surface blank: nothing of what was drawn before shows through. */
export function blank({ canvas, context, type }: Surface): void {
  context.clearRect(0, 0, canvas.width, canvas.height)
  if (type === 'image/png') return
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
}

export async function encode({ canvas, type }: Surface, quality: number): Promise<Blob> {
  const blob = await canvas.convertToBlob({ type, quality }).catch(() => undefined)
  if (blob?.type !== type) throw new LeftToServer(texts.errors.noBlob)
  return blob
}

export async function encodePixels(pixels: Pixels, type: OutputType, quality: number): Promise<Blob> {
  const surface = newSurface(pixels, type)
  const bytes = new Uint8ClampedArray(pixels.data.buffer, pixels.data.byteOffset, pixels.data.byteLength)
  surface.context.putImageData(new ImageData(bytes, pixels.width, pixels.height), 0, 0)
  return encode(surface, quality)
}
