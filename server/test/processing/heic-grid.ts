import { box, fullBox, item, place, uint16, uint32 } from './heic.ts'

export interface GridOptions {
  readonly columns: number
  readonly rows: number
  readonly tile: { readonly width: number; readonly height: number }
  readonly bits?: 8 | 10
  /** Code points of ITU-T H.273. */
  readonly primaries?: number
  readonly transfer?: number
  readonly matrix?: number
  readonly quarterTurns?: number
  /** How many pixel columns and rows of the last tiles are cropped. */
  readonly cut?: number
  /** Each tile has bytes of its own, behind the layout, as in files of phones. */
  readonly apart?: boolean
}

/** A HEIC of tiles, as phones write large photos: repeats one HEVC picture (as ffmpeg writes it with `-f hevc`). */
export function makeHeicGrid(hevc: Buffer, options: GridOptions): Buffer {
  const { columns, rows, tile, bits = 8, primaries = 1, transfer = 13, matrix = 1, quarterTurns = 0, cut = 0 } = options
  const { apart = false } = options
  const { configuration, frame } = split(hevc, bits)
  const tiles = Array.from({ length: columns * rows }, (_, index) => index + 1)
  const grid = tiles.length + 1
  const size = [uint32(columns * tile.width - cut), uint32(rows * tile.height - cut)]
  const layout = Buffer.concat([Buffer.of(0, 1, rows - 1, columns - 1), ...size])
  const properties = [
    box('hvcC', configuration),
    fullBox('ispe', 0, uint32(tile.width), uint32(tile.height)),
    box('colr', Buffer.from('nclx'), uint16(primaries), uint16(transfer), uint16(matrix), Buffer.of(0)),
    fullBox('ispe', 0, ...size),
    box('irot', Buffer.of(quarterTurns)),
  ]
  const metaAt = (dataStart: number) =>
    fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, uint32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, uint16(grid)),
      fullBox('iinf', 0, uint16(grid), ...tiles.map(id => item(id, 'hvc1')), item(grid, 'grid')),
      fullBox('iref', 0, box('dimg', uint16(grid), uint16(tiles.length), ...tiles.map(uint16))),
      box(
        'iprp',
        box('ipco', ...properties),
        fullBox(
          'ipma',
          0,
          uint32(grid),
          ...tiles.map(id => Buffer.concat([uint16(id), Buffer.of(3, 1, 2, 3)])),
          Buffer.concat([uint16(grid), Buffer.of(2, 4, 5)]),
        ),
      ),
      fullBox(
        'iloc',
        0,
        Buffer.of(0x44, 0),
        uint16(grid),
        ...tiles.map(id => place(id, dataStart + (apart ? layout.length + (id - 1) * frame.length : 0), frame.length)),
        place(grid, dataStart + (apart ? 0 : frame.length), layout.length),
      ),
    )
  const ftyp = box('ftyp', Buffer.from('heic'), uint32(0), Buffer.from('mif1heic'))
  const dataStart = ftyp.length + metaAt(0).length + 8
  const data = apart ? [layout, ...tiles.map(() => frame)] : [frame, layout]
  return Buffer.concat([ftyp, metaAt(dataStart), box('mdat', ...data)])
}

const PARAMETER_SETS = [32, 33, 34]

function split(hevc: Buffer, bits: number): { configuration: Buffer; frame: Buffer } {
  const units = unitsOf(hevc)
  const sets = units.filter(unit => PARAMETER_SETS.includes(typeOf(unit)))
  const sequence = sets.find(unit => typeOf(unit) === 33)
  if (!sequence) throw new Error('There is no sequence parameter set')
  const depth = 0xf8 | (bits - 8)
  const configuration = Buffer.concat([
    Buffer.of(1),
    sequence.subarray(3, 15),
    Buffer.of(0xf0, 0, 0xfc, 0xfd, depth, depth, 0, 0, 0x0f, sets.length),
    ...sets.map(unit => Buffer.concat([Buffer.of(0x80 | typeOf(unit)), uint16(1), uint16(unit.length), unit])),
  ])
  const slices = units.filter(unit => typeOf(unit) < 32)
  return { configuration, frame: Buffer.concat(slices.flatMap(unit => [uint32(unit.length), unit])) }
}

function unitsOf(hevc: Buffer): Buffer[] {
  const starts: number[] = []
  for (let at = hevc.indexOf('\0\0\x01'); at >= 0; at = hevc.indexOf('\0\0\x01', at + 3)) starts.push(at + 3)
  return starts.map((start, index) => {
    const next = starts[index + 1]
    let end = next === undefined ? hevc.length : next - 3
    while (next !== undefined && hevc[end - 1] === 0) end--
    return hevc.subarray(start, end)
  })
}

function typeOf(unit: Buffer): number {
  return ((unit[0] ?? 0) >> 1) & 0x3f
}
