import type { Link } from '#contract/links.ts'
import { formatPhotos } from '../kit/format.ts'
import { texts } from './texts.ts'

/** By its title, its album or its first file. */
export function linkName(link: Link): string {
  return link.title ?? link.album?.title ?? (link.album_deleted ? texts.albumDeleted : nameByFiles(link))
}

function nameByFiles({ first_file, file_count }: Link): string {
  if (!first_file) return formatPhotos(file_count)
  const { name } = first_file
  return file_count === 1 ? name : texts.nameAndMore({ name, count: file_count - 1 })
}
