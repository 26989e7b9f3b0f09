import createLibheif, { type MainModule } from 'libheif-js/libheif-wasm/libheif.js'
import programUrl from 'libheif-js/libheif-wasm/libheif.wasm?url'
import { LeftToServer } from '../errors.ts'
import { texts } from '../texts.ts'
import { colourSpaceOf, findHeicProfile } from './colour-profile.ts'

let loading: Promise<MainModule> | undefined

async function load(): Promise<MainModule> {
  const program = await fetch(programUrl)
  if (!program.ok) throw new LeftToServer(texts.leftToServer.undecodable)
  return createLibheif({ wasmBinary: await program.arrayBuffer() })
}

/** The main picture of a HEIC file. libheif turns it upright itself, by the container's own instructions. */
export async function decodeHeic(file: Uint8Array): Promise<ImageBitmap> {
  const profile = findHeicProfile(file)
  const colorSpace = profile ? colourSpaceOf(profile) : 'srgb'
  if (!colorSpace) throw new LeftToServer(texts.leftToServer.colours)
  loading ??= load()
  const libheif = await loading.catch(error => {
    loading = undefined
    throw error
  })
  return createImageBitmap(await decodePrimaryPicture(libheif, file, colorSpace))
}

async function decodePrimaryPicture(
  libheif: MainModule,
  file: Uint8Array,
  colorSpace: PredefinedColorSpace,
): Promise<ImageData> {
  const context = libheif.heif_context_alloc()
  try {
    const status = libheif.heif_context_read_from_memory(context, file)
    if (status.code !== libheif.heif_error_code.heif_error_Ok) throw undecodable(status.message)
    const handle = unlessError(libheif.heif_js_context_get_primary_image_handle(context))
    try {
      const decoded = unlessError(
        await libheif.heif_js_decode_image2(
          handle,
          libheif.heif_colorspace.heif_colorspace_RGB,
          libheif.heif_chroma.heif_chroma_interleaved_RGBA,
        ),
      )
      try {
        return copyOut(decoded.channels[0], colorSpace)
      } finally {
        libheif.heif_image_release(decoded.image)
      }
    } finally {
      libheif.heif_image_handle_release(handle)
    }
  } finally {
    libheif.heif_context_free(context)
  }
}

interface Plane {
  readonly width: number
  readonly height: number
  /** Bytes from one row to the next. */
  readonly stride: number
  /** A window into the decoder's memory. */
  readonly data: Uint8Array
}

function copyOut({ width, height, stride, data }: Plane, colorSpace: PredefinedColorSpace): ImageData {
  const image = new ImageData(width, height, { colorSpace })
  for (let row = 0; row < height; row++) {
    image.data.set(data.subarray(row * stride, row * stride + width * 4), row * width * 4)
  }
  return image
}

function unlessError<Result extends object>(result: Result | { code: unknown; message: string }): Result {
  if ('code' in result) throw undecodable(result.message)
  return result
}

function undecodable(reason: unknown): LeftToServer {
  return new LeftToServer(texts.leftToServer.undecodable, { cause: reason })
}
