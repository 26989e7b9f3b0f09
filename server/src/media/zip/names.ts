import { comparable } from '#contract/motion-photos.ts'
import { withoutControls } from '../../storage/download-name.ts'
import { truncateToBytes } from '../../storage/keys.ts'

/** What some system a family unpacks on cannot have in a name, or takes for a path. */
const NOT_IN_NAMES = /[/\\:*?"<>|]/g

/** File systems hold 255 bytes; the number that keeps equal names apart comes on top. */
const MOST_BYTES = 240

/** Gives each file of an archive its name there: equal ones are kept apart as "a.jpg", "a (2).jpg". */
export function createUniqueNames(): (wanted: string) => string {
  const taken = new Set<string>()
  /** The last number given to a name, so that ten thousand of one name need no counting up. */
  const numbers = new Map<string, number>()
  return wanted => {
    const [stem, extension] = sanitise(wanted)
    let name = stem + extension
    let number = numbers.get(comparable(name)) ?? 1
    const first = comparable(name)
    while (taken.has(comparable(name))) name = `${stem} (${++number})${extension}`
    numbers.set(first, number)
    taken.add(comparable(name))
    return name
  }
}

function sanitise(name: string): [stem: string, extension: string] {
  const clean = withoutControls(name).replace(NOT_IN_NAMES, '_').trim().replace(/^\.+$/, '')
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.\s]{1,10})?$/su.exec(clean) ?? []
  return [truncateToBytes(stem, MOST_BYTES - Buffer.byteLength(extension)) || 'file', extension]
}
