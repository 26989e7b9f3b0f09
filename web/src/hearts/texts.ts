import { formatCount } from '../kit/format.ts'

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

const files = (count: number) => (count === 1 ? '1 file' : `${formatCount(count)} files`)

export const texts = {
  favourites: 'Favourites',
  add: 'Add to Favourites',
  remove: 'Remove from Favourites',
  /** The button of one of many files. */
  addFile: (name: string) => `Add ${name} to Favourites`,
  removeFile: (name: string) => `Remove ${name} from Favourites`,
  removed: 'Removed from Favourites',
  addedMany: (count: number) => `Added ${files(count)} to Favourites`,
  removedMany: (count: number) => `Removed ${files(count)} from Favourites`,
  addFailed: 'Failed to add to Favourites',
  removeFailed: 'Failed to remove from Favourites',
  you: 'you',
  lovedByCount: (count: number) => (count === 1 ? 'loved by 1 person' : `loved by ${formatCount(count)} people`),
  lovedBy: (names: readonly string[]) => `Loved by ${list.format(names)}`,
} as const

/** The number beside a heart; the own heart alone has none. */
export function shownCount(hearts: number, hearted: boolean): string {
  return hearts > 1 || (hearts > 0 && !hearted) ? formatCount(hearts) : ''
}

/** The name of the heart of one of many files. */
export function heartLabel({
  original_name,
  hearts,
  hearted,
}: {
  original_name: string
  hearts: number
  hearted: boolean
}): string {
  const act = (hearted ? texts.removeFile : texts.addFile)(original_name)
  return hearts > 0 ? `${act}, ${texts.lovedByCount(hearts)}` : act
}
