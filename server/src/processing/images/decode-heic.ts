import { readFile, stat } from 'node:fs/promises'
import loadLibheif from 'libheif-js/libheif-wasm/libheif-bundle.js'
import type { HdrColours } from '#contract/hdr-still.ts'
import { heicOrientation } from '#contract/heif.ts'
import { ProcessingError, unreadable, unsupported } from '../errors.ts'
import { describesRgb, toneMap } from './colour.ts'
import { refuseIfTooLarge, type Size, tooLarge } from './pixels.ts'
import { allocateTiff } from './tiff.ts'

/**
 * Decodes the primary image of a HEIC file, or the first of a sequence, to a TIFF in memory. libheif rotates it by the
 * container's properties; the orientation of the TIFF is what remains to be done. `damaged`: tiles could not be
 * decoded. They are grey, as what is missing of a JPEG.
 */
export async function decodeHeic(
  path: string,
  hdr: HdrColours | undefined,
): Promise<{ tiff: Buffer; damaged: boolean }> {
  return withHeic(path, heic => {
    refuseIfTooLarge(heic.size)
    const channels = heic.hasAlpha ? 4 : 3
    const icc = hdr ? undefined : heic.readProfile()
    const tiff = allocateTiff(
      { ...heic.size, channels, orientation: heic.orientation },
      icc && describesRgb(icc) ? icc : undefined,
    )
    const target = { ...heic.size, channels, data: tiff.pixels } as const
    const complete = heic.decode(hdr ? CHROMA.deep[channels] : CHROMA.plain[channels], {
      take: (image, left, top) => copyInto(target, image, left, top, hdr),
      missing: tile => fillGrey(target, tile),
    })
    return { tiff: tiff.file, damaged: !complete }
  })
}

/** Size and orientation of the picture that {@link decodeHeic} decodes, from the header only. */
export async function measureHeic(path: string): Promise<Size & { orientation: number }> {
  return withHeic(path, ({ size, orientation }) => {
    refuseIfTooLarge(size)
    return { ...size, orientation }
  })
}

/** Values of libheif's enums. `deep` has two bytes per sample, little-endian. */
const COLOURSPACE_RGB = 1
const INTERLEAVED = 10
const CHROMA = { plain: { 3: 10, 4: 11 }, deep: { 3: 14, 4: 15 } } as const
const UNSUPPORTED_CODES = [3, 4]

/** Larger pictures are decoded tile by tile: as a whole they would be in memory twice. */
const TILE_ABOVE_PIXELS = 50_000_000
/** The decoder's 2 GB of memory must hold the file and the picture. */
const MAX_FILE_BYTES = 512 * 1024 * 1024

let libheif = loadLibheif()

interface Picture {
  readonly size: Size
  readonly hasAlpha: boolean
  readProfile(): Buffer | undefined
  /** Calls back with each tile and its position. False if some could not be decoded. */
  decode(chroma: number, callbacks: TileCallbacks): boolean
}

interface TileCallbacks {
  take(image: number, left: number, top: number): void
  missing(tile: Size & { left: number; top: number }): void
}

interface Heic extends Picture {
  /** EXIF orientation of what {@link Picture.decode} returns. */
  readonly orientation: number
}

async function withHeic<Result>(path: string, act: (heic: Heic) => Result): Promise<Result> {
  const { size } = await stat(path)
  if (size > MAX_FILE_BYTES) throw tooLarge(`${Math.round(size / 1_000_000)} MB`)
  const file = await readFile(path)
  const release: (() => void)[] = []
  let isSequence = false
  const allocate = (bytes: number) => {
    const at = libheif._malloc(bytes)
    if (at === 0) throw new ProcessingError('memory', 'The picture needs more memory than its decoder has.')
    release.push(() => libheif._free(at))
    return at
  }
  try {
    const call = newCaller(allocate)
    const fileAt = allocate(file.length)
    libheif.HEAPU8.set(file, fileAt)
    const context = libheif._heif_context_alloc()
    release.push(() => libheif._heif_context_free(context))
    call(error => libheif._heif_context_read_from_memory_without_copy(error, context, fileAt, file.length, 0))
    const out = allocate(64)
    try {
      call(error => libheif._heif_context_get_primary_image_handle(error, context, out))
    } catch (error) {
      if (libheif._heif_context_has_sequence(context) === 0) throw error
      const track = libheif._heif_context_get_track(context, 0)
      if (track === 0) throw error
      release.push(() => libheif._heif_track_release(track))
      isSequence = true
      return act({ ...sequence(track, call, out), orientation: 1 })
    }
    const handle = valueAt(out)
    release.push(() => libheif._heif_image_handle_release(handle))
    return act({ ...still(handle, call, out, allocate), orientation: heicOrientation(file) })
  } catch (error) {
    if (!isTrap(error)) throw error
    // After a trap libheif reports intact files as damaged, so a new instance is loaded.
    libheif = loadLibheif()
    release.length = 0
    // It traps on valid sequences whose frames are not stored in display order.
    throw isSequence ? unsupported(error) : unreadable({ cause: error })
  } finally {
    for (const free of release.reverse()) free()
  }
}

function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError'
}

type Call = (act: (error: number) => void) => void

function newCaller(allocate: (bytes: number) => number): Call {
  const error = allocate(12)
  return act => {
    act(error)
    const code = valueAt(error)
    if (code === 0) return
    const from = valueAt(error + 8)
    const message = Buffer.from(libheif.HEAPU8.subarray(from, libheif.HEAPU8.indexOf(0, from))).toString()
    throw UNSUPPORTED_CODES.includes(code) ? unsupported(message) : unreadable({ cause: message })
  }
}

function still(handle: number, call: Call, out: number, allocate: (bytes: number) => number): Picture {
  const size = {
    width: libheif._heif_image_handle_get_width(handle),
    height: libheif._heif_image_handle_get_height(handle),
  }
  return {
    size,
    hasAlpha: libheif._heif_image_handle_has_alpha_channel(handle) !== 0,
    readProfile() {
      const bytes = libheif._heif_image_handle_get_raw_color_profile_size(handle)
      if (bytes === 0) return undefined
      const at = allocate(bytes)
      call(error => libheif._heif_image_handle_get_raw_color_profile(error, handle, at))
      return Buffer.from(libheif.HEAPU8.subarray(at, at + bytes))
    },
    decode(chroma, callbacks) {
      if (size.width * size.height > TILE_ABOVE_PIXELS) return decodeTiles(handle, call, out, chroma, callbacks)
      call(error => libheif._heif_decode_image(error, handle, out, COLOURSPACE_RGB, chroma, 0))
      const complete = takeImage(out, callbacks.take, 0, 0)
      // libheif makes what it left out green, and says which tiles only if they are decoded one by one.
      if (!complete) decodeTiles(handle, call, out, chroma, callbacks)
      return complete
    },
  }
}

function decodeTiles(
  handle: number,
  call: Call,
  out: number,
  chroma: number,
  { take, missing }: TileCallbacks,
): boolean {
  call(error => libheif._heif_image_handle_get_image_tiling(error, handle, 1, out))
  const [columns, rows, tileWidth, tileHeight, width, height, cutAbove, cutLeft] = [4, 8, 12, 16, 20, 24, 28, 32].map(
    offset => valueAt(out + offset),
  ) as [number, number, number, number, number, number, number, number]
  // A grid may be larger than the picture. The excess is on the right and bottom, or elsewhere after a rotation.
  const left = cutLeft > 0 ? width - columns * tileWidth : 0
  const top = cutAbove > 0 ? height - rows * tileHeight : 0
  let decoded = 0
  let complete = true
  let failure: unknown
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = { left: left + column * tileWidth, top: top + row * tileHeight }
      try {
        call(error =>
          libheif._heif_image_handle_decode_image_tile(error, handle, out, COLOURSPACE_RGB, chroma, 0, column, row),
        )
      } catch (error) {
        if (!(error instanceof ProcessingError)) throw error
        failure = error
        complete = false
        missing({ ...at, width: tileWidth, height: tileHeight })
        continue
      }
      decoded++
      complete = takeImage(out, take, at.left, at.top) && complete
    }
  }
  if (decoded === 0) throw failure
  return complete
}

function sequence(track: number, call: Call, out: number): Picture {
  call(error => libheif._heif_track_get_image_resolution(error, track, out, out + 2))
  const sizes = valueAt(out)
  return {
    size: { width: sizes & 0xffff, height: sizes >>> 16 },
    hasAlpha: libheif._heif_track_has_alpha_channel(track) !== 0,
    readProfile: () => undefined,
    decode(chroma, { take }) {
      call(error => libheif._heif_track_decode_next_image(error, track, out, COLOURSPACE_RGB, chroma, 0))
      return takeImage(out, take, 0, 0)
    },
  }
}

/** False if libheif left out parts of the image. */
function takeImage(out: number, take: TileCallbacks['take'], left: number, top: number): boolean {
  const image = valueAt(out)
  try {
    take(image, left, top)
    return libheif._heif_image_get_decoding_warnings(image, 0, 0, 0) === 0
  } finally {
    libheif._heif_image_release(image)
  }
}

function valueAt(address: number): number {
  return libheif.HEAPU32[address >> 2] ?? 0
}

interface Target extends Size {
  readonly channels: 3 | 4
  readonly data: Buffer
}

/** Copies a decoded tile into the picture, clipped to its bounds. */
function copyInto(target: Target, image: number, left: number, top: number, hdr: HdrColours | undefined): void {
  const { channels, data } = target
  const strideAt = libheif._malloc(4)
  const plane = libheif._heif_image_get_plane_readonly(image, INTERLEAVED, strideAt)
  const stride = valueAt(strideAt)
  libheif._free(strideAt)
  if (plane === 0) throw unreadable({ reason: 'it holds no pixels' })
  const width = libheif._heif_image_get_width(image, INTERLEAVED)
  const height = libheif._heif_image_get_height(image, INTERLEAVED)
  const bits = libheif._heif_image_get_bits_per_pixel_range(image, INTERLEAVED)
  const [skipX, skipY] = [Math.max(0, -left), Math.max(0, -top)]
  const count = Math.min(width, target.width - left) - skipX
  if (count <= 0) return
  const samples = hdr && new Uint16Array(count * channels)
  for (let row = skipY; row < height && top + row < target.height; row++) {
    const from = plane + row * stride + skipX * channels * (hdr ? 2 : 1)
    const to = ((top + row) * target.width + left + skipX) * channels
    if (!samples) {
      data.set(libheif.HEAPU8.subarray(from, from + count * channels), to)
      continue
    }
    const deep = new Uint16Array(libheif.HEAPU8.buffer, from, samples.length)
    for (let at = 0; at < samples.length; at++) samples[at] = scaleTo16Bits(deep[at] ?? 0, bits)
    toneMap(samples, channels, hdr, data.subarray(to, to + samples.length))
  }
}

const GREY = 128

function fillGrey({ width, height, channels, data }: Target, tile: Parameters<TileCallbacks['missing']>[0]): void {
  const [left, right] = [Math.max(0, tile.left), Math.min(width, tile.left + tile.width)]
  if (left >= right) return
  const row = Buffer.alloc((right - left) * channels, GREY)
  if (channels === 4) for (let alpha = 3; alpha < row.length; alpha += 4) row[alpha] = 255
  for (let y = Math.max(0, tile.top); y < Math.min(height, tile.top + tile.height); y++)
    data.set(row, (y * width + left) * channels)
}

function scaleTo16Bits(value: number, bits: number): number {
  return (value << (16 - bits)) | (value >> Math.max(0, 2 * bits - 16))
}
