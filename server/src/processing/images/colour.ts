/** Names under which the plain sRGB profile goes about; converting from it to sRGB would change nothing. */
const srgbNames = /^(sRGB( IEC61966-2[.-]1)?( black scaled)?|sRGB built-in|c2|IEC 61966-2[.-]1 .*sRGB.*)$/i

/** A profile for RGB pixels that differs from sRGB, such as Display P3 or Adobe RGB. */
export function needsConversion(icc: Buffer): boolean {
  return describesRgb(icc) && !srgbNames.test(profileName(icc))
}

export function describesRgb(icc: Buffer): boolean {
  return icc.length > 132 && icc.toString('latin1', 16, 20) === 'RGB '
}

/** The description inside an ICC profile, in either of the two ways it is written down. */
function profileName(icc: Buffer): string {
  const tagCount = Math.min(icc.readUInt32BE(128), 100)
  for (let at = 132; at + 12 <= icc.length && at < 132 + tagCount * 12; at += 12) {
    if (icc.toString('latin1', at, at + 4) === 'desc') return textTag(icc, icc.readUInt32BE(at + 4))
  }
  return ''
}

function textTag(icc: Buffer, at: number): string {
  if (at + 28 > icc.length) return ''
  const type = icc.toString('latin1', at, at + 4)
  if (type === 'desc') {
    const length = icc.readUInt32BE(at + 8)
    return withoutPadding(icc.toString('latin1', at + 12, at + 12 + length))
  }
  if (type !== 'mluc') return ''
  const length = icc.readUInt32BE(at + 20)
  const start = at + icc.readUInt32BE(at + 24)
  const text = Buffer.from(icc.subarray(start, start + length - (length % 2)))
  return text.length % 2 === 0 ? withoutPadding(text.swap16().toString('utf16le')) : ''
}

function withoutPadding(text: string): string {
  return text.replace(/\0+$/, '').trim()
}

const STEPS = 65_536

/** Encodes linear light (0 to 1, anything beyond is clipped) as a byte, by a table: the curve is too slow for each pixel. */
export function createEncoder(curve: (linear: number) => number): (linear: number) => number {
  const table = Uint8Array.from({ length: STEPS }, (_, step) => Math.round(255 * curve(step / (STEPS - 1))))
  return linear => {
    const step = linear <= 0 ? 0 : linear >= 1 ? STEPS - 1 : Math.round(linear * (STEPS - 1))
    return table[step] as number
  }
}
