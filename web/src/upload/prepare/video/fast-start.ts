interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

/**
 * Moves the index of an MP4 before the media data ("fast start"), so that it plays before it is fully loaded. The index
 * is written last because it needs all offsets; the media data is not copied.
 */
export async function moveIndexToFront(mp4: Blob): Promise<Blob> {
  const boxes = await topBoxes(mp4)
  const index = boxes.find(({ type }) => type === 'moov')
  const media = boxes.find(({ type }) => type === 'mdat')
  if (!index || !media || index.start < media.start) return mp4
  const moov = new Uint8Array(await mp4.slice(index.start, index.end).arrayBuffer())
  shiftChunkOffsets(new DataView(moov.buffer), 8, moov.length, moov.length)
  return new Blob([mp4.slice(0, media.start), moov, mp4.slice(media.start, index.start), mp4.slice(index.end)])
}

async function topBoxes(mp4: Blob): Promise<Box[]> {
  const boxes: Box[] = []
  for (let start = 0; start + 8 <= mp4.size; ) {
    const header = new DataView(await mp4.slice(start, start + 16).arrayBuffer())
    const end = start + boxSize(header, 0, mp4.size - start)
    boxes.push({ type: boxType(header, 0), start, end })
    start = end
  }
  return boxes
}

/** The boxes that contain the chunk offset tables. */
const containerBoxes = new Set(['trak', 'mdia', 'minf', 'stbl'])

function shiftChunkOffsets(view: DataView, start: number, end: number, distance: number): void {
  for (let at = start; at + 8 <= end; ) {
    const size = boxSize(view, at, end - at)
    const type = boxType(view, at)
    if (containerBoxes.has(type)) shiftChunkOffsets(view, at + 8, at + size, distance)
    else if (type === 'stco' || type === 'co64') shiftOffsetTable(view, at, type, distance)
    at += size
  }
}

function shiftOffsetTable(view: DataView, at: number, type: 'stco' | 'co64', distance: number): void {
  const count = view.getUint32(at + 12)
  for (let entry = 0; entry < count; entry++) {
    if (type === 'co64') {
      const offset = at + 16 + entry * 8
      view.setBigUint64(offset, view.getBigUint64(offset) + BigInt(distance))
    } else {
      const offset = at + 16 + entry * 4
      view.setUint32(offset, view.getUint32(offset) + distance)
    }
  }
}

function boxType(view: DataView, at: number): string {
  return String.fromCharCode(...[4, 5, 6, 7].map(offset => view.getUint8(at + offset)))
}

function boxSize(view: DataView, at: number, rest: number): number {
  const size = view.getUint32(at)
  // 1: the size follows in eight bytes. 0: the box extends to the end of the file.
  const real = size === 1 ? Number(view.getBigUint64(at + 8)) : size === 0 ? rest : size
  return Math.max(8, Math.min(real, rest))
}
