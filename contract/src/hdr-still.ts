import { BOX_HEADER_BYTES, type Box, parseBoxHeader, SMALLEST_BOX_BYTES } from './iso-boxes.ts'

/**
 * Detects HDR stills by their bytes. Server and browser share this: the server tone-maps such pictures and the
 * browser leaves them to the server, so that a picture looks the same wherever it was prepared.
 */
export interface HdrColours {
  readonly transfer: 'pq' | 'hlg'
  readonly primaries: 'bt709' | 'p3' | 'bt2020'
}

/** How many bytes from the start of a file are needed. The metadata of 1,000 tiles takes less than a tenth of it. */
export const HDR_HEAD_BYTES = 1024 * 1024

/** Undefined for SDR pictures and for formats that do not declare their colours. */
export function hdrColoursOf(head: Uint8Array): HdrColours | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    if (view.getUint32(0) === 0x89504e47) return inPng(view)
    return text(view, 4) === 'ftyp' ? inHeif(view) : undefined
  } catch (error) {
    // A box points beyond the bytes that were read, so its content is unavailable.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Code points of ITU-T H.273. */
function coloursOf(primaries: number, transfer: number): HdrColours | undefined {
  if (transfer !== 16 && transfer !== 18) return undefined
  return {
    transfer: transfer === 16 ? 'pq' : 'hlg',
    // Files that declare the transfer curve but no known primaries are BT.2020.
    primaries: primaries === 1 ? 'bt709' : primaries === 12 ? 'p3' : 'bt2020',
  }
}

function inPng(view: DataView): HdrColours | undefined {
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = text(view, at + 4)
    if (type === 'cICP') return coloursOf(view.getUint8(at + 8), view.getUint8(at + 9))
    if (type === 'IDAT') return undefined
  }
  return undefined
}

function* boxesIn(view: DataView, start: number, end: number): Generator<Box> {
  for (let at = start; at + SMALLEST_BOX_BYTES <= end; ) {
    const header = new Uint8Array(view.buffer, view.byteOffset + at, Math.min(BOX_HEADER_BYTES, view.byteLength - at))
    const box = parseBoxHeader(header, at, end)
    if (!box) return
    yield box
    at = box.end
  }
}

function find(view: DataView, parent: Pick<Box, 'start' | 'end'>, type: string): Box | undefined {
  for (const box of boxesIn(view, parent.start, parent.end)) if (box.type === type) return box
  return undefined
}

/**
 * A grid item may inherit the colours of its tiles. Those of a gain map are ignored: they do not describe the picture.
 */
function inHeif(view: DataView): HdrColours | undefined {
  const meta = find(view, { start: 0, end: view.byteLength }, 'meta')
  if (!meta) return undefined
  // A full box (ISO 14496-12) starts with a version and flags.
  const content = { start: meta.start + 4, end: meta.end }
  const [primary, properties] = [find(view, content, 'pitm'), find(view, content, 'iprp')]
  if (!primary || !properties) return undefined
  const id = idAt(view, primary.start + 4, view.getUint8(primary.start) > 0)
  const own = coloursOfItem(view, properties, id)
  if (own) return own.colours
  const tile = firstTile(view, find(view, content, 'iref'), id)
  return tile === undefined ? undefined : coloursOfItem(view, properties, tile)?.colours
}

function idAt(view: DataView, at: number, wide: boolean): number {
  return wide ? view.getUint32(at) : view.getUint16(at)
}

/** Undefined if the item declares no colours. */
function coloursOfItem(view: DataView, iprp: Box, id: number): { colours: HdrColours | undefined } | undefined {
  const [container, associations] = [find(view, iprp, 'ipco'), find(view, iprp, 'ipma')]
  if (!container || !associations) return undefined
  const wanted = new Set(propertiesOf(view, associations, id))
  let index = 0
  for (const box of boxesIn(view, container.start, container.end)) {
    index++
    if (!wanted.has(index) || box.type !== 'colr' || text(view, box.start) !== 'nclx') continue
    return { colours: coloursOf(view.getUint16(box.start + 4), view.getUint16(box.start + 6)) }
  }
  return undefined
}

function propertiesOf(view: DataView, ipma: Box, id: number): number[] {
  const wideIds = view.getUint8(ipma.start) > 0
  const wideIndexes = (view.getUint8(ipma.start + 3) & 1) === 1
  let at = ipma.start + 8
  for (let left = view.getUint32(ipma.start + 4); left > 0 && at < ipma.end; left--) {
    const item = idAt(view, at, wideIds)
    at += wideIds ? 4 : 2
    const count = view.getUint8(at++)
    if (item === id) {
      return Array.from({ length: count }, (_, nth) =>
        wideIndexes ? view.getUint16(at + nth * 2) & 0x7fff : view.getUint8(at + nth) & 0x7f,
      )
    }
    at += count * (wideIndexes ? 2 : 1)
  }
  return []
}

function firstTile(view: DataView, iref: Box | undefined, id: number): number | undefined {
  if (!iref) return undefined
  const wide = view.getUint8(iref.start) > 0
  const step = wide ? 4 : 2
  for (const box of boxesIn(view, iref.start + 4, iref.end)) {
    if (box.type === 'dimg' && idAt(view, box.start, wide) === id) return idAt(view, box.start + step + 2, wide)
  }
  return undefined
}

function text(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}
