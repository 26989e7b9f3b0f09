import { parseEdtf } from '#contract/edtf.ts'

/** What people have corrected of a file, which its original does not say. */
export interface Corrected {
  /** The date in EDTF; undefined: as the camera said. */
  edtf: string | undefined
  /** Undefined: as the camera said, or removed. */
  position: { latitude: number; longitude: number } | undefined
}

/**
 * An XMP sidecar, which other programs read beside an original. Standard fields hold what they can: a time, a day, a month
 * or a year. The whole date, which may be a season or "about", is in a field of our own.
 */
export function sidecarOf({ edtf, position }: Corrected): Buffer {
  const fields: [name: string, value: string][] = []
  if (edtf !== undefined) fields.push(...standardDates(edtf), ['heirloom:Date', edtf])
  if (position !== undefined) {
    fields.push(['exif:GPSLatitude', degrees(position.latitude, 'NS')])
    fields.push(['exif:GPSLongitude', degrees(position.longitude, 'EW')])
  }
  // None of the values has characters that XML reserves.
  const written = fields.map(([name, value]) => `   <${name}>${value}</${name}>\n`).join('')
  return Buffer.from(`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:exif="http://ns.adobe.com/exif/1.0/"
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
    xmlns:heirloom="urn:heirloom:xmp">
${written}  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`)
}

function standardDates(edtf: string): [string, string][] {
  const date = parseEdtf(edtf)
  if (date === undefined || date.precision === 'unknown' || date.precision === 'interval') return []
  if (date.precision === 'decade') return []
  if (date.precision === 'time') {
    return ['exif:DateTimeOriginal', 'photoshop:DateCreated'].map((name): [string, string] => [name, edtf])
  }
  // Of "about 12 May 1974" and "summer 1974" only the year is sure enough.
  const isExact = !date.approximate && date.precision !== 'season'
  return [['photoshop:DateCreated', isExact ? edtf : edtf.slice(0, 4)]]
}

/** As in "38,43.3320N": XMP has degrees and minutes. */
function degrees(value: number, [positive = '', negative = '']: string): string {
  const size = Math.abs(value)
  const whole = Math.floor(size)
  return `${whole},${((size - whole) * 60).toFixed(5)}${value < 0 ? negative : positive}`
}
