/** How far into a HEIC file its description may reach. */
const DESCRIPTION_BYTES = 1024 * 1024
const PROFILE_BOXES = ['colrprof', 'colrrICC'].map(name => new TextEncoder().encode(name))

/** The ICC profile of a HEIC file, if it has one: the decoder gives out pixels and keeps their meaning to itself. */
export function findHeicProfile(file: Uint8Array): Uint8Array | undefined {
  const description = file.subarray(0, DESCRIPTION_BYTES)
  for (const name of PROFILE_BOXES) {
    const at = indexOf(description, name)
    if (at < 4) continue
    const size = new DataView(file.buffer, file.byteOffset).getUint32(at - 4)
    return file.subarray(at + name.length, at - 4 + size)
  }
  return undefined
}

const ascii = new TextDecoder('latin1')

/**
 * The canvas's word for a profile, by the name that the profile bears. Phones write one of two; undefined for all
 * others, which a canvas can't convert.
 */
export function colourSpaceOf(profile: Uint8Array): PredefinedColorSpace | undefined {
  // Names stand in one or two bytes a letter; without the zeros both read the same.
  const text = ascii.decode(profile.subarray(128)).replaceAll('\0', '')
  if (text.includes('Display P3')) return 'display-p3'
  return text.includes('sRGB') ? 'srgb' : undefined
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return at
  }
  return -1
}
