import { type CalendarDate, formatEdtf, type KnownDate, parseEdtf } from '#contract/edtf.ts'
import { toIso } from '../../kit/clock.ts'
import type { ExportedFile, Said } from './export.sql.ts'

/** `photo.jpg.xmp`, which most programs read: date, place, tags and notes. */
export function xmpOf(file: ExportedFile): string {
  const { latitude, longitude } = file
  const date = file.edtf === null ? undefined : parseEdtf(file.edtf)
  const exact = date?.precision === 'time' ? exactTime(date, file) : undefined
  const description = descriptionOf(file)
  const properties = [
    element('exif:DateTimeOriginal', exact),
    element('photoshop:DateCreated', exact ?? truncatedDate(date)),
    element('heirloom:Edtf', file.edtf),
    element('exif:GPSLatitude', latitude === null ? null : coordinate(latitude, 'N', 'S')),
    element('exif:GPSLongitude', longitude === null ? null : coordinate(longitude, 'E', 'W')),
    list('dc:description', 'Alt', description === null ? [] : [description]),
    list('dc:subject', 'Bag', file.tags),
    // A separator in a tag would split it into levels.
    list('digiKam:TagsList', 'Seq', file.tags.some(tag => tag.includes('/')) ? [] : file.tags),
    list('lr:hierarchicalSubject', 'Bag', file.tags.some(tag => tag.includes('|')) ? [] : file.tags),
  ]
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:digiKam="http://www.digikam.org/ns/1.0/"
    xmlns:exif="http://ns.adobe.com/exif/1.0/"
    xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
    xmlns:heirloom="urn:heirloom:metadata:1">
${properties.filter(Boolean).join('\n')}
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`
}

/** `photo.jpg.JSON`, as archives of immich-go have it, with what only Heirloom knows under `heirloom`. */
export function jsonOf(file: ExportedFile): string {
  const date = file.edtf === null ? undefined : parseEdtf(file.edtf)
  const facts = {
    fileName: file.name,
    latitude: file.latitude ?? 0,
    longitude: file.longitude ?? 0,
    ...(date?.precision === 'time' ? { dateTaken: exactTime(date, file) } : {}),
    description: descriptionOf(file) ?? '',
    albums: file.albums.map(title => ({ title })),
    tags: file.tags.map(value => ({ value })),
    rating: 0,
    trashed: false,
    archived: false,
    favorited: file.hearts.length > 0,
    fromPartner: false,
    heirloom: {
      date: file.edtf,
      dateSource: file.dateSource,
      place: file.location,
      folder: file.folder,
      rotation: file.rotation,
      uploadedBy: file.uploadedBy,
      uploadedAt: toIso(file.uploadedAt),
      hearts: file.hearts,
      notes: file.notes.map(sayings),
      blake3: file.hash,
    },
  }
  return `${JSON.stringify(facts, null, 2)}\n`
}

export function sayings({ by, at, text }: Said) {
  return { by, at: toIso(at), text }
}

/** With the offset from UTC where it is the camera's; a person's correction has none. */
function exactTime(date: Extract<KnownDate, { precision: 'time' }>, { offset, dateSource }: ExportedFile): string {
  const offsetMinutes = date.offsetMinutes ?? (dateSource === 'person' ? null : offset)
  return formatEdtf({ ...date, offsetMinutes })
}

/** As far as XMP can say it: year, month and day. What is less exact than a year is only in our own property. */
function truncatedDate(date: KnownDate | undefined): string | undefined {
  if (!date || !('approximate' in date) || date.precision === 'decade') return undefined
  const { precision, year } = date
  const exact: CalendarDate =
    precision === 'season' ? { precision: 'year', year, approximate: false } : { ...date, approximate: false }
  return formatEdtf(exact)
}

/** One note as it is; several with the names of their authors. */
function descriptionOf({ notes }: ExportedFile): string | null {
  if (notes.length === 0) return null
  return notes.length === 1 ? (notes[0]?.text ?? null) : notes.map(({ by, text }) => `${by}: ${text}`).join('\n\n')
}

/** Degrees and minutes, as in `50,9.1234567N`. */
function coordinate(value: number, positive: string, negative: string): string {
  const size = Math.abs(value)
  const degrees = Math.floor(size)
  return `${degrees},${((size - degrees) * 60).toFixed(7)}${value < 0 ? negative : positive}`
}

function element(name: string, text: string | null | undefined): string {
  return text == null ? '' : `   <${name}>${escaped(text)}</${name}>`
}

function list(name: string, kind: 'Alt' | 'Bag' | 'Seq', texts: readonly string[]): string {
  if (texts.length === 0) return ''
  const language = kind === 'Alt' ? ' xml:lang="x-default"' : ''
  const items = texts.map(text => `<rdf:li${language}>${escaped(text)}</rdf:li>`).join('')
  return `   <${name}><rdf:${kind}>${items}</rdf:${kind}></${name}>`
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
