import { readFile } from 'node:fs/promises'
import libheif, { type HeifChannel, type HeifHandle, type HeifStatus } from 'libheif-js/wasm-bundle.js'
import { unreadable } from '../errors.ts'
import { allocateTiff } from './tiff.ts'

/**
 * Decodes the main picture of a HEIC file to a TIFF in memory. libheif turns it upright itself, by the container's
 * own instructions; the EXIF orientation beside it tells the same once more and is left out on purpose.
 */
export async function decodeHeic(path: string, icc: Buffer | undefined): Promise<Buffer> {
  const context = libheif.heif_context_alloc()
  try {
    const status = libheif.heif_context_read_from_memory(context, await readFile(path))
    if (status.code !== libheif.heif_error_code.heif_error_Ok) throw unreadable(status.message)
    const handle = libheif.heif_js_context_get_primary_image_handle(context)
    if (isStatus(handle)) throw unreadable(handle.message)
    try {
      return await decodePicture(handle, icc)
    } finally {
      libheif.heif_image_handle_release(handle)
    }
  } finally {
    libheif.heif_context_free(context)
  }
}

async function decodePicture(handle: HeifHandle, icc: Buffer | undefined): Promise<Buffer> {
  const channels = libheif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3
  const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = libheif.heif_chroma
  const decoded = await libheif.heif_js_decode_image2(
    handle,
    libheif.heif_colorspace.heif_colorspace_RGB,
    channels === 4 ? rgba : rgb,
  )
  if (isStatus(decoded)) throw unreadable(decoded.message)
  try {
    const [plane] = decoded.channels
    if (!plane) throw unreadable('it holds no pixels')
    const tiff = allocateTiff({ width: plane.width, height: plane.height, channels }, icc)
    copyRows(plane, plane.width * channels, tiff.pixels)
    return tiff.file
  } finally {
    libheif.heif_image_release(decoded.image)
  }
}

function copyRows({ data, stride, height }: HeifChannel, rowBytes: number, pixels: Buffer): void {
  if (stride === rowBytes) {
    pixels.set(data.subarray(0, rowBytes * height))
    return
  }
  for (let row = 0; row < height; row++) {
    pixels.set(data.subarray(row * stride, row * stride + rowBytes), row * rowBytes)
  }
}

function isStatus(value: object): value is HeifStatus {
  return 'code' in value
}
