import { BOX_HEADER_BYTES, type Box, parseBoxHeader, SMALLEST_BOX_BYTES } from './iso-boxes.ts'

/** What HEIF files (HEIC, AVIF) say about their items, in boxes of ISO 23008-12. Reading beyond the end throws a RangeError. */

type Range = Pick<Box, 'start' | 'end'>

function* heifBoxes(view: DataView, { start, end }: Range): Generator<Box> {
  for (let at = start; at + SMALLEST_BOX_BYTES <= end; ) {
    const header = new Uint8Array(view.buffer, view.byteOffset + at, Math.min(BOX_HEADER_BYTES, view.byteLength - at))
    const box = parseBoxHeader(header, at, end)
    if (!box) return
    yield box
    at = box.end
  }
}

function find(view: DataView, parent: Range, type: string): Box | undefined {
  for (const box of heifBoxes(view, parent)) if (box.type === type) return box
  return undefined
}

export interface HeifItems {
  readonly primaryId: number
  /** The property boxes of an item. */
  propertiesOf(id: number): Box[]
  /** Items that this one refers to, such as the tiles of a grid (`dimg`). */
  referencesOf(id: number, type: string): number[]
  /** The content of the first item of this type, as far as it is in the bytes. */
  contentOf(type: string): DataView | undefined
}

/** Undefined if the bytes hold no items. */
export function readHeifItems(view: DataView): HeifItems | undefined {
  const meta = find(view, { start: 0, end: view.byteLength }, 'meta')
  if (!meta) return undefined
  // A full box (ISO 14496-12) starts with a version and flags.
  const content = { start: meta.start + 4, end: meta.end }
  const [primary, iprp] = [find(view, content, 'pitm'), find(view, content, 'iprp')]
  if (!primary || !iprp) return undefined
  return {
    primaryId: idAt(view, primary.start + 4, view.getUint8(primary.start) > 0),
    propertiesOf: id => propertiesOf(view, iprp, id),
    referencesOf: (id, type) => referencesOf(view, find(view, content, 'iref'), id, type),
    contentOf: type => contentOf(view, content, type),
  }
}

function idAt(view: DataView, at: number, wide: boolean): number {
  return wide ? view.getUint32(at) : view.getUint16(at)
}

function propertiesOf(view: DataView, iprp: Box, id: number): Box[] {
  const [container, associations] = [find(view, iprp, 'ipco'), find(view, iprp, 'ipma')]
  if (!container || !associations) return []
  const wanted = new Set(propertyNumbers(view, associations, id))
  return [...heifBoxes(view, container)].filter((_, index) => wanted.has(index + 1))
}

function propertyNumbers(view: DataView, ipma: Box, id: number): number[] {
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

function referencesOf(view: DataView, iref: Box | undefined, id: number, type: string): number[] {
  if (!iref) return []
  const wide = view.getUint8(iref.start) > 0
  const step = wide ? 4 : 2
  for (const box of heifBoxes(view, { start: iref.start + 4, end: iref.end })) {
    if (box.type !== type || idAt(view, box.start, wide) !== id) continue
    const count = view.getUint16(box.start + step)
    return Array.from({ length: count }, (_, nth) => idAt(view, box.start + step + 2 + nth * step, wide))
  }
  return []
}

function contentOf(view: DataView, meta: Range, type: string): DataView | undefined {
  const [infos, places] = [find(view, meta, 'iinf'), find(view, meta, 'iloc')]
  if (!infos || !places) return undefined
  const countBytes = view.getUint8(infos.start) > 0 ? 4 : 2
  for (const info of heifBoxes(view, { start: infos.start + 4 + countBytes, end: infos.end })) {
    const version = view.getUint8(info.start)
    if (info.type !== 'infe' || version < 2) continue
    const wide = version > 2
    if (textAt(view, info.start + 4 + (wide ? 4 : 2) + 2) !== type) continue
    const place = placeOf(view, places, idAt(view, info.start + 4, wide))
    if (!place) return undefined
    const from = place.inItemData ? find(view, meta, 'idat')?.start : 0
    if (from === undefined) return undefined
    return new DataView(view.buffer, view.byteOffset + from + place.offset, place.length)
  }
  return undefined
}

/** Where an item is stored; undefined also if it is in several extents, which writers use for pictures only. */
function placeOf(view: DataView, iloc: Box, id: number) {
  const version = view.getUint8(iloc.start)
  const sizes = view.getUint16(iloc.start + 4)
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexBytes = version === 0 ? 0 : sizes & 15
  const wide = version === 2
  const numberAt = (at: number, bytes: number) =>
    bytes === 0 ? 0 : bytes === 8 ? Number(view.getBigUint64(at)) : view.getUint32(at)
  let at = iloc.start + 6 + (wide ? 4 : 2)
  for (let left = idAt(view, iloc.start + 6, wide); left > 0 && at < iloc.end; left--) {
    const item = idAt(view, at, wide)
    at += wide ? 4 : 2
    const method = version === 0 ? 0 : view.getUint16(at) & 15
    at += (version === 0 ? 0 : 2) + 2
    const base = numberAt(at, baseBytes)
    const extents = view.getUint16(at + baseBytes)
    at += baseBytes + 2
    if (item === id) {
      if (extents !== 1 || method > 1) return undefined
      const offset = base + numberAt(at + indexBytes, offsetBytes)
      return { offset, length: numberAt(at + indexBytes + offsetBytes, lengthBytes), inItemData: method === 1 }
    }
    at += extents * (indexBytes + offsetBytes + lengthBytes)
  }
  return undefined
}

/**
 * The EXIF orientation by which a decoded HEIC must still be turned. The standard has readers use the container's rotation
 * (`irot`, `imir`) and ignore EXIF, which repeats it. The first iPhones that wrote HEIC (iOS 11) left the rotation
 * out, so EXIF counts where the container has none.
 */
export function heicOrientation(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  try {
    const items = textAt(view, 4) === 'ftyp' ? readHeifItems(view) : undefined
    if (!items || items.propertiesOf(items.primaryId).some(({ type }) => type === 'irot' || type === 'imir')) return 1
    const exif = items.contentOf('Exif')
    return exif ? orientationIn(exif) : 1
  } catch (error) {
    if (error instanceof RangeError) return 1
    throw error
  }
}

/** Of an EXIF block as HEIF stores it: the offset of a TIFF header, and the TIFF. */
function orientationIn(exif: DataView): number {
  const tiff = 4 + exif.getUint32(0)
  const little = exif.getUint16(tiff) === 0x4949
  const directory = tiff + exif.getUint32(tiff + 4, little)
  const count = exif.getUint16(directory, little)
  for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12) {
    if (exif.getUint16(entry, little) !== 0x0112) continue
    const orientation = exif.getUint16(entry + 8, little)
    return orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}

export function textAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}
