import { expect, test } from 'vitest'
import { moveIndexToFront } from './fast-start.ts'

/** An MP4 with three chunks of media data and an offset table of 4 or 8 bytes per entry. */
function mp4(table: 'stco' | 'co64', order: ('mdat' | 'moov')[]): { file: Buffer; chunks: string[] } {
  const chunks = ['first', 'second', 'third']
  const ftyp = box('ftyp', Buffer.from('isom'))
  const moovAt = (mediaStart: number) => {
    let place = mediaStart + 8
    const places = chunks.map(chunk => {
      const here = place
      place += chunk.length
      return table === 'stco' ? uint32(here) : Buffer.concat([uint32(0), uint32(here)])
    })
    const stbl = box('stbl', box('stsd', Buffer.alloc(4)), box(table, uint32(0), uint32(chunks.length), ...places))
    return box('moov', box('mvhd', Buffer.alloc(8)), box('trak', box('mdia', box('minf', stbl))))
  }
  const mediaFirst = order[0] === 'mdat'
  const moov = moovAt(ftyp.length + (mediaFirst ? 0 : moovAt(0).length))
  const mdat = box('mdat', Buffer.from(chunks.join('')))
  return { file: Buffer.concat([ftyp, ...(mediaFirst ? [mdat, moov] : [moov, mdat])]), chunks }
}

/** The content at the offsets of the table. */
function follow(file: Buffer, table: 'stco' | 'co64', chunks: string[]): string[] {
  const at = file.indexOf(table) + 12
  return chunks.map((chunk, index) => {
    const place = table === 'stco' ? file.readUInt32BE(at + index * 4) : Number(file.readBigUInt64BE(at + index * 8))
    return file.toString('latin1', place, place + chunk.length)
  })
}

test.each(['stco', 'co64'] as const)('the index moves to the front and the offsets in %s are shifted', async table => {
  const { file, chunks } = mp4(table, ['mdat', 'moov'])
  expect(follow(file, table, chunks)).toEqual(chunks)
  const moved = Buffer.from(await (await moveIndexToFront(new Blob([new Uint8Array(file)]))).arrayBuffer())
  expect(moved.length).toBe(file.length)
  expect(moved.indexOf('moov')).toBeLessThan(moved.indexOf('mdat'))
  expect(follow(moved, table, chunks)).toEqual(chunks)
})

test('a file with its index in front or without one is unchanged', async () => {
  const { file } = mp4('stco', ['moov', 'mdat'])
  for (const bytes of [file, Buffer.from('no film at all')]) {
    const blob = new Blob([new Uint8Array(bytes)])
    expect(await moveIndexToFront(blob)).toBe(blob)
  }
})

function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type), content])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
