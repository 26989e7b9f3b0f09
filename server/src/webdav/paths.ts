import { lengths, webdav } from '#contract/limits.ts'
import { AppError } from '../kit/errors.ts'

export const davPath = '/dav'

/** The top folders. Their names are part of addresses that people store in their devices, so they are not translated. */
export const places = { folders: 'Folders', albums: 'Albums', inbox: 'Inbox' } as const

/** The decoded segments of a path below `/dav`, in the form that names are compared in. */
export function segmentsOf(path: string): string[] {
  const [, ...encoded] = (path.split('?', 1)[0] ?? '').split('/')
  if (`/${encoded.shift()}` !== davPath) throw new AppError('forbidden', 'webdav.outside')
  try {
    return encoded.filter(segment => segment !== '').map(segment => nameOf(decodeURIComponent(segment)))
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('malformed', 'request.address', { cause })
  }
}

function nameOf(segment: string): string {
  const name = segment.normalize('NFC')
  if (name === '.' || name === '..' || /[\p{Cc}/\\]/u.test(name) || !name.isWellFormed() || name.trim() !== name) {
    throw new AppError('malformed', 'webdav.name')
  }
  if (name.length > lengths.fileName) throw new AppError('invalid', 'files.nameTooLong', { count: lengths.fileName })
  return name
}

export function hrefOf(segments: readonly string[], isFolder: boolean): string {
  const path = [davPath, ...segments.map(encodeURIComponent)].join('/')
  return isFolder ? `${path}/` : path
}

/** A file or folder of the inbox. The inbox itself has an empty name. */
export interface InboxPath {
  parent: string
  name: string
}

/** Undefined unless the segments lead into the inbox. */
export function inboxPath([top, ...inside]: readonly string[]): InboxPath | undefined {
  if (top !== places.inbox) return undefined
  if (inside.length > webdav.depth) throw new AppError('invalid', 'webdav.tooDeep', { count: webdav.depth })
  if (inside.join('/').length > webdav.pathLength) throw pathTooLong()
  return { parent: inside.slice(0, -1).join('/'), name: inside.at(-1) ?? '' }
}

export function pathTooLong(): AppError {
  return new AppError('invalid', 'webdav.pathTooLong', { count: webdav.pathLength })
}

export function joined({ parent, name }: InboxPath): string {
  return parent === '' ? name : `${parent}/${name}`
}

/** What operating systems write beside files, for themselves alone. */
export function isLitter({ name }: Pick<InboxPath, 'name'>): boolean {
  return /^(?:\._.*|\.DS_Store|\.Trashes|\.Spotlight-V100|\.fseventsd|\.metadata_never_index.*|\.hidden|Thumbs\.db|desktop\.ini)$/i.test(
    name,
  )
}
