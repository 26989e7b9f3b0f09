import createLibheif, { type MainModule } from 'libheif-js/libheif-wasm/libheif.js'
import programUrl from 'libheif-js/libheif-wasm/libheif.wasm?url'
import { heicOrientation } from '#contract/heif.ts'
import { CannotPrepare } from '../prepare.ts'

let loading: Promise<MainModule> | undefined

async function load(): Promise<MainModule> {
  const program = await fetch(programUrl)
  if (!program.ok) throw new CannotPrepare('undecodable')
  return createLibheif({ wasmBinary: await program.arrayBuffer() })
}

/** Decodes the primary image of a HEIC file. libheif applies the container's rotation. */
export async function decodeHeic(file: Uint8Array): Promise<ImageBitmap> {
  if (heicOrientation(file) !== 1) throw new CannotPrepare('undecodable')
  const profile = findHeicProfile(file)
  const colorSpace = profile ? colourSpaceOf(profile) : 'srgb'
  if (!colorSpace) throw new CannotPrepare('colours')
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
  /** Bytes per row. */
  readonly stride: number
  /** A view of the decoder's memory. */
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

function undecodable(reason: unknown): CannotPrepare {
  return new CannotPrepare('undecodable', { cause: reason })
}

/** Maximum size of the metadata at the start of a HEIC file. */
const DESCRIPTION_BYTES = 1024 * 1024
const PROFILE_BOXES = ['colrprof', 'colrrICC'].map(name => new TextEncoder().encode(name))

/** The ICC profile of a HEIC file, if any. The decoder returns pixels without it. */
function findHeicProfile(file: Uint8Array): Uint8Array | undefined {
  const description = file.subarray(0, DESCRIPTION_BYTES)
  for (const name of PROFILE_BOXES) {
    const at = indexOf(description, name)
    if (at < 4) continue
    const size = new DataView(file.buffer, file.byteOffset).getUint32(at - 4)
    return file.subarray(at + name.length, at - 4 + size)
  }
  return undefined
}

const ascii = new TextDecoder('latin1')

/**
 * The canvas colour space for an ICC profile, by the profile's name. Phones write one of these two; a canvas cannot
 * convert others.
 */
function colourSpaceOf(profile: Uint8Array): PredefinedColorSpace | undefined {
  // Names are ASCII or UTF-16; without zero bytes both read the same.
  const text = ascii.decode(profile.subarray(128)).replaceAll('\0', '')
  if (text.includes('Display P3')) return 'display-p3'
  return text.includes('sRGB') ? 'srgb' : undefined
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return at
  }
  return -1
}
