/**
 * The functions of libheif's WebAssembly build that the HEIC decoder calls; the package has no types for them. They
 * are the C functions: numbers are addresses in `HEAPU8`, and a function that returns a struct takes the address to
 * write it to as its first argument.
 */
declare module 'libheif-js/libheif-wasm/libheif-bundle.js' {
  type Address = number
  type ErrorAt = Address

  interface Libheif {
    /** Replaced whenever the memory grows: do not keep a reference across calls. */
    readonly HEAPU8: Uint8Array<ArrayBuffer>
    readonly HEAPU32: Uint32Array<ArrayBuffer>
    _malloc(bytes: number): Address
    _free(at: Address): void
    _heif_context_alloc(): Address
    _heif_context_free(context: Address): void
    _heif_context_read_from_memory_without_copy(
      error: ErrorAt,
      context: Address,
      file: Address,
      bytes: number,
      options: 0,
    ): void
    _heif_context_get_primary_image_handle(error: ErrorAt, context: Address, handleOut: Address): void
    _heif_context_has_sequence(context: Address): number
    /** 0 returns the first visual track. */
    _heif_context_get_track(context: Address, id: number): Address
    _heif_track_release(track: Address): void
    _heif_track_has_alpha_channel(track: Address): number
    _heif_track_get_image_resolution(error: ErrorAt, track: Address, widthOut: Address, heightOut: Address): void
    _heif_track_decode_next_image(
      error: ErrorAt,
      track: Address,
      imageOut: Address,
      colourspace: number,
      chroma: number,
      options: 0,
    ): void
    _heif_image_handle_release(handle: Address): void
    _heif_image_handle_get_width(handle: Address): number
    _heif_image_handle_get_height(handle: Address): number
    _heif_image_handle_has_alpha_channel(handle: Address): number
    _heif_image_handle_get_raw_color_profile_size(handle: Address): number
    _heif_image_handle_get_raw_color_profile(error: ErrorAt, handle: Address, out: Address): void
    _heif_image_handle_get_image_tiling(error: ErrorAt, handle: Address, upright: 1, tilingOut: Address): void
    _heif_image_handle_decode_image_tile(
      error: ErrorAt,
      handle: Address,
      imageOut: Address,
      colourspace: number,
      chroma: number,
      options: 0,
      column: number,
      row: number,
    ): void
    _heif_decode_image(
      error: ErrorAt,
      handle: Address,
      imageOut: Address,
      colourspace: number,
      chroma: number,
      options: 0,
    ): void
    _heif_image_release(image: Address): void
    /** With 0 entries to write, it returns how many warnings there are. */
    _heif_image_get_decoding_warnings(image: Address, first: 0, out: 0, entries: 0): number
    _heif_image_get_width(image: Address, channel: number): number
    _heif_image_get_height(image: Address, channel: number): number
    _heif_image_get_bits_per_pixel_range(image: Address, channel: number): number
    _heif_image_get_plane_readonly(image: Address, channel: number, strideOut: Address): Address
  }
  /** Each call returns an instance with separate memory. */
  export default function loadLibheif(): Libheif
}
