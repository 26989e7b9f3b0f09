import { comparable } from '#contract/motion-photos.ts'
import { withoutControls } from '../../storage/download-name.ts'
import { truncateToBytes } from '../../storage/keys.ts'

/** Not allowed in file names on some systems, or path separators. */
const NOT_IN_NAMES = /[/\\:*?"<>|]/g

/** File systems allow 255 bytes; the rest is for the number that makes a name unique. */
const MOST_BYTES = 240

/**
 * Deduplicates the names in an archive or a folder: "a.jpg", "a (2).jpg". With the extension of its clip, the same name with
 * that extension is taken too.
 */
export function createUniqueNames(): (wanted: string, clipExtension?: string) => string {
  const taken = new Set<string>()
  /** The last number used for each name, so that ten thousand equal names take linear time. */
  const numbers = new Map<string, number>()
  return (wanted, clipExtension) => {
    const [stem, extension] = sanitise(wanted)
    const extensions = clipExtension === undefined ? [extension] : [extension, clipExtension]
    const first = comparable(stem + extension)
    let number = numbers.get(first) ?? 1
    let unique = stem
    while (extensions.some(each => taken.has(comparable(unique + each)))) unique = `${stem} (${++number})`
    numbers.set(first, number)
    for (const each of extensions) taken.add(comparable(unique + each))
    return unique + extension
  }
}

function sanitise(name: string): [stem: string, extension: string] {
  const clean = withoutControls(name).replace(NOT_IN_NAMES, '_').trim().replace(/^\.+$/, '')
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.\s]{1,10})?$/su.exec(clean) ?? []
  return [truncateToBytes(stem, MOST_BYTES - Buffer.byteLength(extension)) || 'file', extension]
}
