const PIECE_BYTES = 1024 * 1024

/**
 * A file piece by piece, from the first byte to the last. Each is asked for by itself: of a file's stream, Chromium may
 * never say that it has come to its end when it is read into memory of ours, and in memory of its own hundreds of megabytes
 * of a long film pile up.
 */
export async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    yield new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer())
  }
}
