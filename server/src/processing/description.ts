import type { Tags } from './dates/date-from-tags.ts'

export const descriptionTags = ['Description', 'Title', 'Caption-Abstract', 'ImageDescription', 'XMP:FamilyNotes']

/** Best first: programs for people write XMP, older ones IPTC, and cameras write EXIF. */
const describing = [
  'XMP:Description',
  'IPTC:Caption-Abstract',
  'EXIF:ImageDescription',
  'XMP:ImageDescription',
  'QuickTime:Description',
]

/** What cameras and programs write by themselves where the words of a person belong. */
const defaults = [
  /^(?:olympus|minolta|konica minolta|kodak|sanyo|casio|ricoh|motorola|samsung|hp|vivitar|polaroid|digital)?[\s-]*digital[\s-]*(?:still[\s-]*)?camera$/,
  /^sony[\s_-]*dsc$/,
  /^samsung$/,
  /^(?:exif|jfif)[\s_-]*jpeg(?:[\s_-]*picture)?$/,
  /^(?:jpeg|jpg|ascii|default|untitled|image|photo|picture|screenshot|maker:.*|charset=.*|\(null\)|null|undefined)$/,
  /^dcim[\\/]/,
  /^<?digimax .*>?$/,
  /^dji[\s_.-]/,
  /^(?:de=\w+, )?(?:mode=\w+)/,
  /^binary comment$/,
  /^created (?:with|by) /,
]

interface Known {
  /** Of the file. */
  name: string
  make?: string | null | undefined
  model?: string | null | undefined
  software?: string | null | undefined
}

/** What somebody wrote about a photo into the file itself; null: nothing, or only what a camera or program wrote. */
export function describedBy(tags: Tags, known: Known): string | null {
  for (const tag of describing) {
    const text = readText(tags[tag])
    if (text !== undefined && !isDefault(text, known)) return text
  }
  return null
}

/** Used for sidecars alone: programs write the name of the file into its title. */
export function titledBy(tags: Tags, known: Known): string | null {
  const text = readText(tags['XMP:Title'])
  return text === undefined || isDefault(text, known) ? null : text
}

/** The notes in a sidecar of Heirloom. */
export function notesIn(tags: Tags): string | null {
  return readText(tags['XMP:FamilyNotes']) ?? null
}

function readText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  // Cameras fill the field up to a fixed length.
  const text = String(value).replaceAll('\0', '').trim()
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text) ? text : undefined
}

const LONGEST_DEFAULT = 300

function isDefault(text: string, { name, make, model, software }: Known): boolean {
  if (text.length > LONGEST_DEFAULT) return false
  const words = comparable(text)
  if (defaults.some(pattern => pattern.test(words))) return true
  const others = [name, name.replace(/\.[^.]*$/, ''), make, model, `${make} ${model}`, software]
  return others.some(other => other != null && comparable(other) === words)
}

function comparable(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
