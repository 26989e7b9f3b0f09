/** The few functions of libheif's WebAssembly build that the HEIC decoder calls; the package brings no types for them. */
declare module 'libheif-js/wasm-bundle.js' {
  export interface HeifStatus {
    readonly code: unknown
    readonly message: string
  }

  export interface HeifChannel {
    readonly width: number
    readonly height: number
    /** Bytes from one row to the next. */
    readonly stride: number
    /** A window into the decoder's memory: copy before the next call. */
    readonly data: Uint8Array
  }

  export type HeifContext = number
  export type HeifHandle = object

  const libheif: {
    readonly heif_error_code: { readonly heif_error_Ok: unknown }
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown }
    readonly heif_chroma: {
      readonly heif_chroma_interleaved_RGB: unknown
      readonly heif_chroma_interleaved_RGBA: unknown
    }
    heif_context_alloc(): HeifContext
    heif_context_free(context: HeifContext): void
    heif_context_read_from_memory(context: HeifContext, file: Uint8Array): HeifStatus
    heif_js_context_get_primary_image_handle(context: HeifContext): HeifHandle | HeifStatus
    heif_image_handle_has_alpha_channel(handle: HeifHandle): number
    heif_image_handle_release(handle: HeifHandle): void
    heif_js_decode_image2(
      handle: HeifHandle,
      colorspace: unknown,
      chroma: unknown,
    ): Promise<{ readonly image: object; readonly channels: readonly HeifChannel[] } | HeifStatus>
    heif_image_release(image: object): void
  }
  export default libheif
}
