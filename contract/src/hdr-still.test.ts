import { expect, test } from 'vitest'
import { hdrColoursOf } from './hdr-still.ts'

type SizeField = 'short' | 'long' | 'rest' | number

function bytes(...parts: (string | number | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap(part =>
      typeof part === 'string'
        ? Array.from(part, letter => letter.charCodeAt(0))
        : typeof part === 'number'
          ? [part]
          : [...part],
    ),
  )
}

function number32(value: number): Uint8Array {
  return bytes(...[24, 16, 8, 0].map(shift => (value >>> shift) & 0xff))
}

/** An ISO box with a 32-bit, 64-bit, missing or wrong size field. */
function box(type: string, content: Uint8Array, size: SizeField = 'short'): Uint8Array {
  if (size === 'long') return bytes(number32(1), type, number32(0), number32(content.length + 16), content)
  const field = size === 'short' ? content.length + 8 : size === 'rest' ? 0 : size
  return bytes(number32(field), type, content)
}

/** The beginning of a HEIC file whose only picture uses PQ. */
function heic({ free = bytes(), meta = 'short' as SizeField, colour = 'short' as SizeField } = {}): Uint8Array {
  const colours = box('colr', bytes('nclx', 0, 9, 0, 16, 0, 9, 0x80), colour)
  const associations = box('ipma', bytes(number32(0), number32(1), 0, 1, 1, 1))
  const properties = box('iprp', bytes(box('ipco', colours), associations))
  const content = bytes(number32(0), box('pitm', bytes(number32(0), 0, 1)), properties)
  return bytes(box('ftyp', bytes('heic', number32(0))), free, box('meta', content, meta))
}

const pq = { transfer: 'pq', primaries: 'bt2020' }

test.each([
  ['32 bits', {}],
  ['64 bits', { meta: 'long' }],
  ['64 bits for a box before it', { free: box('free', bytes('some padding'), 'long') }],
  ['64 bits for the colours', { colour: 'long' }],
  ['the rest of the file', { meta: 'rest' }],
] as const)('colours are found in boxes whose size is given as %s', (_, parts) => {
  expect(hdrColoursOf(heic(parts))).toEqual(pq)
})

test.each([2, 3, 4, 5, 6, 7])('a box of size %i ends the search', size => {
  expect(hdrColoursOf(heic({ free: box('free', bytes(), size) }))).toBeUndefined()
})

test('a size in 64 bits that is less than its own header, or reaches beyond the file, ends the search', () => {
  const long = (high: number, low: number) => bytes(number32(1), 'free', number32(high), number32(low))
  expect(hdrColoursOf(heic({ free: long(0, 8) }))).toBeUndefined()
  expect(hdrColoursOf(heic({ free: long(0xffffffff, 0xffffffff) }))).toBeUndefined()
})
