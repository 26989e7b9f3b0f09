import { type HeifItems, readHeifItems, textAt } from './heif.ts'
import { readJxlHeader } from './jxl.ts'

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
    if (textAt(view, 4) === 'ftyp') return inHeif(view)
    return inJxl(head)
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
    primaries: primaries === 1 ? 'bt709' : primaries === 12 || primaries === 11 ? 'p3' : 'bt2020',
  }
}

function inJxl(head: Uint8Array): HdrColours | undefined {
  const colours = readJxlHeader(head)?.colours
  return colours && coloursOf(colours.primaries, colours.transfer)
}

function inPng(view: DataView): HdrColours | undefined {
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = textAt(view, at + 4)
    if (type === 'cICP') return coloursOf(view.getUint8(at + 8), view.getUint8(at + 9))
    if (type === 'IDAT') return undefined
  }
  return undefined
}

/**
 * A grid item may inherit the colours of its tiles. Those of a gain map are ignored: they do not describe the picture.
 */
function inHeif(view: DataView): HdrColours | undefined {
  const items = readHeifItems(view)
  if (!items) return undefined
  const own = coloursOfItem(view, items, items.primaryId)
  if (own) return own.colours
  const [tile] = items.referencesOf(items.primaryId, 'dimg')
  return tile === undefined ? undefined : coloursOfItem(view, items, tile)?.colours
}

/** Undefined if the item declares no colours. */
function coloursOfItem(view: DataView, items: HeifItems, id: number): { colours: HdrColours | undefined } | undefined {
  const colours = items.propertiesOf(id).find(box => box.type === 'colr' && textAt(view, box.start) === 'nclx')
  return colours && { colours: coloursOf(view.getUint16(colours.start + 4), view.getUint16(colours.start + 6)) }
}
