/** Pairs stills and clips of one folder by their names. The content decides later whether a pair really is one. */

const HEIC = /\.(heic|heif|hif)$/i
const JPEG = /\.jpe?g$/i
/** `.MP` and `.MV` (Google), also numbered: `PXL_1.MP~2`. */
const BARE_CLIP = /\.m[pv](~\d{1,3})?$/i
const HEVC_CLIP = /_hevc\.mov$/i
const CLIP = /\.(mov|mp4)$/i

/**
 * The clip of each still: `IMG_1.MOV` or `.MP4` of `IMG_1.HEIC` or `.JPG`, `IMG_1_HEVC.MOV` of `IMG_1.HEIC`,
 * `PXL_1.MP` of `PXL_1.MP.jpg`. The pairing is one to one; unpaired files are left out.
 */
export function clipsByStill<File>(files: readonly File[], nameOf: (file: File) => string): Map<File, File> {
  const stills = new Map<string, File>()
  // HEIC first: an edited JPEG may share the name of its HEIC, and the clip belongs to the HEIC.
  for (const pattern of [HEIC, JPEG]) {
    for (const file of files) {
      const stem = stemOf(nameOf(file))
      if (pattern.test(nameOf(file)) && !stills.has(stem)) stills.set(stem, file)
    }
  }
  const pairs = new Map<File, File>()
  const taken = new Set<File>()
  for (const rule of rules) {
    for (const clip of files) {
      const stem = rule(nameOf(clip))
      const still = stem === undefined ? undefined : stills.get(stem)
      if (still === undefined || pairs.has(still) || taken.has(clip)) continue
      pairs.set(still, clip)
      taken.add(clip)
    }
  }
  return pairs
}

/** The stem of the still that a clip with this name may belong to; the most reliable rule first. */
const rules: ((name: string) => string | undefined)[] = [
  name => (/\.mov$/i.test(name) ? stemOf(name) : undefined),
  name => (BARE_CLIP.test(name) ? comparable(name) : undefined),
  name => (HEVC_CLIP.test(name) ? comparable(name.replace(HEVC_CLIP, '')) : undefined),
  name => (CLIP.test(name) ? stemOf(name) : undefined),
]

/** A name without its extension, normalised for comparison. */
export function stemOf(name: string): string {
  return comparable(name.replace(/\.[^.]*$/, ''))
}

/** File systems differ in case and in Unicode normalisation (NFC or NFD) of the same name. */
export function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
