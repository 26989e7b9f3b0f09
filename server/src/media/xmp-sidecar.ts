import { parseEdtf } from '#contract/edtf.ts'

/** What the library knows of a file and its original may not say. */
export interface SidecarFacts {
  /** The date in EDTF; undefined: as the camera said. */
  edtf: string | undefined
  /** Undefined: as the camera said, or removed. */
  position: { latitude: number; longitude: number } | undefined
  tags?: readonly string[]
  /** The caption. */
  description?: string | null
  notes?: string | null
  /** The name of the place. */
  place?: string | null
  /** The names of those who gave it a heart. */
  lovedBy?: readonly string[]
}

/** The rating of a file with a heart. A number of stars for the number of hearts would call a photo that one person loves bad. */
export const LOVED = 5

/**
 * An XMP sidecar, which other programs read beside an original. Standard fields hold what they can: a time, a day, a month
 * or a year. The whole date, which may be a season or "about", is in a field of our own, and so are the notes; imports read both.
 */
export function sidecarOf(facts: SidecarFacts): Buffer {
  const { edtf, position, tags = [], description, notes, place, lovedBy = [] } = facts
  const fields: [name: string, value: string][] = []
  if (edtf !== undefined) fields.push(...standardDates(edtf), ['heirloom:Edtf', edtf])
  if (position !== undefined) {
    fields.push(['exif:GPSLatitude', degrees(position.latitude, 'NS')])
    fields.push(['exif:GPSLongitude', degrees(position.longitude, 'EW')])
  }
  if (place) fields.push(['Iptc4xmpCore:Location', place])
  if (lovedBy.length > 0) fields.push(['xmp:Rating', String(LOVED)])
  if (notes) fields.push(['heirloom:FamilyNotes', notes])
  const lists = [
    list('dc:description', 'Alt', description ? [description] : []),
    list('dc:subject', 'Bag', tags),
    // A separator in a tag would split it into levels.
    list('digiKam:TagsList', 'Seq', tags.some(tag => tag.includes('/')) ? [] : tags),
    list('lr:hierarchicalSubject', 'Bag', tags.some(tag => tag.includes('|')) ? [] : tags),
    list('heirloom:LovedBy', 'Seq', lovedBy),
    // The people in a photo belong here: mwg-rs:RegionInfo, and Iptc4xmpExt:PersonInImage for those without a region.
  ]
  const written = [...fields.map(([name, value]) => `   <${name}>${escaped(value)}</${name}>\n`), ...lists].join('')
  return Buffer.from(`<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:digiKam="http://www.digikam.org/ns/1.0/"
    xmlns:exif="http://ns.adobe.com/exif/1.0/"
    xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
    xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:heirloom="urn:heirloom:xmp">
${written}  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`)
}

function list(name: string, kind: 'Alt' | 'Bag' | 'Seq', texts: readonly string[]): string {
  if (texts.length === 0) return ''
  const language = kind === 'Alt' ? ' xml:lang="x-default"' : ''
  const items = texts.map(text => `<rdf:li${language}>${escaped(text)}</rdf:li>`).join('')
  return `   <${name}><rdf:${kind}>${items}</rdf:${kind}></${name}>\n`
}

/** XML has no form for most control characters, nor for lone surrogates. */
const NOT_IN_XML = /[\p{Cc}\uFFFE\uFFFF]/gu

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, character => ('\t\n\r'.includes(character) ? character : ''))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
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
  return `${whole},${((size - whole) * 60).toFixed(7)}${value < 0 ? negative : positive}`
}
