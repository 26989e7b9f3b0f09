import { BOX_HEADER_BYTES, parseBoxHeader, SMALLEST_BOX_BYTES } from './iso-boxes.ts'

/** What the header of a JPEG XL (ISO 18181-1) says about the picture. */
export interface JxlHeader {
  readonly animated: boolean
  /** Numbers of its colour encoding; undefined if it has an ICC profile instead, or the default (sRGB). */
  readonly colours: { readonly primaries: number; readonly transfer: number } | undefined
}

/** Undefined if it is not a JPEG XL. Throws a RangeError if the bytes end too early. */
export function readJxlHeader(head: Uint8Array): JxlHeader | undefined {
  const codestream = findCodestream(head)
  if (codestream?.[0] !== 0xff || codestream[1] !== 0x0a) return undefined
  const bits = new BitReader(codestream.subarray(2))
  skipSize(bits)
  if (bits.bool()) return { animated: false, colours: undefined }
  const animated = bits.bool() && readExtraFields(bits)
  skipBitDepth(bits)
  bits.bool() // whether 16 bits suffice for decoding
  const extraChannels = bits.choose(0, 1, [2, 4], [1, 12])
  for (let channel = 0; channel < extraChannels; channel++) skipExtraChannel(bits)
  bits.bool() // whether it is in XYB
  return { animated, colours: readColours(bits) }
}

const CONTAINER = [0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20]

function findCodestream(head: Uint8Array): Uint8Array | undefined {
  if (!CONTAINER.every((byte, index) => head[index] === byte)) return head
  for (let at = 0; at + SMALLEST_BOX_BYTES <= head.length; ) {
    const box = parseBoxHeader(head.subarray(at, at + BOX_HEADER_BYTES), at, Number.MAX_SAFE_INTEGER)
    if (!box) return undefined
    if (box.type === 'jxlc') return head.subarray(box.start)
    // The first part of several, after its number.
    if (box.type === 'jxlp') return head.subarray(box.start + 4)
    at = box.end
  }
  return undefined
}

/** A number, or an offset and how many bits to read and add to it. */
type Choice = number | readonly [offset: number, bits: number]

class BitReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  number(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit++, this.#at++) {
      const byte = this.#bytes[this.#at >> 3]
      if (byte === undefined) throw new RangeError('The header is not complete')
      value += ((byte >> (this.#at & 7)) & 1) * 2 ** bit
    }
    return value
  }

  bool(): boolean {
    return this.number(1) === 1
  }

  choose(...choices: readonly [Choice, Choice, Choice, Choice]): number {
    const choice = choices[this.number(2)] as Choice
    return typeof choice === 'number' ? choice : choice[0] + this.number(choice[1])
  }

  enumeration(): number {
    return this.choose(0, 1, [2, 4], [18, 6])
  }
}

function skipSize(bits: BitReader): void {
  const small = bits.bool()
  const skipSide = () => (small ? bits.number(5) : bits.choose([1, 9], [1, 13], [1, 18], [1, 30]))
  skipSide()
  if (bits.number(3) === 0) skipSide()
}

/** Returns whether it is animated. */
function readExtraFields(bits: BitReader): boolean {
  bits.number(3) // orientation
  if (bits.bool()) skipSize(bits) // intrinsic size
  if (bits.bool()) skipPreview(bits)
  const animated = bits.bool()
  if (animated) {
    bits.choose(100, 1_000, [1, 10], [1, 30])
    bits.choose(1, 1_001, [1, 8], [1, 10])
    bits.choose(0, [0, 3], [0, 16], [0, 32])
    bits.bool()
  }
  return animated
}

function skipPreview(bits: BitReader): void {
  const small = bits.bool()
  const skipSide = () =>
    small ? bits.choose(16, 32, [1, 5], [33, 9]) : bits.choose([1, 6], [65, 8], [321, 10], [1_345, 12])
  skipSide()
  if (bits.number(3) === 0) skipSide()
}

function skipBitDepth(bits: BitReader): void {
  if (!bits.bool()) return void bits.choose(8, 10, 12, [1, 6])
  bits.choose(32, 16, 24, [1, 6])
  bits.number(4)
}

function skipExtraChannel(bits: BitReader): void {
  if (bits.bool()) return
  const [ALPHA, SPOT_COLOUR, COLOUR_FILTER] = [0, 2, 5]
  const type = bits.enumeration()
  skipBitDepth(bits)
  bits.choose(0, 3, 4, [1, 3])
  bits.number(8 * bits.choose(0, [0, 4], [16, 5], [48, 10])) // its name
  if (type === ALPHA) bits.bool()
  if (type === SPOT_COLOUR) bits.number(4 * 16)
  if (type === COLOUR_FILTER) bits.choose(1, [0, 2], [3, 4], [19, 8])
}

function readColours(bits: BitReader): JxlHeader['colours'] {
  if (bits.bool() || bits.bool()) return undefined
  const [GREY, XYB, CUSTOM] = [1, 2, 2]
  const space = bits.enumeration()
  const skipPoint = () => {
    for (const _axis of 'xy') bits.choose([0, 19], [524_288, 19], [1_048_576, 20], [2_097_152, 21])
  }
  if (space === XYB) return undefined
  if (bits.enumeration() === CUSTOM) skipPoint()
  const primaries = space === GREY ? 1 : bits.enumeration()
  if (space !== GREY && primaries === CUSTOM) for (const _colour of 'rgb') skipPoint()
  const hasGamma = bits.bool()
  return hasGamma ? undefined : { primaries, transfer: bits.enumeration() }
}
