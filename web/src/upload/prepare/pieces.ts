/**
 * A file piece by piece, from the first byte to the last. In memory of the browser's own: read into ours, Chromium now and
 * then never answers at the end of a file, and the upload would stop for good.
 */
export async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
