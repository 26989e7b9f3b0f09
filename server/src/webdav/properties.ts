import { webdav } from '#contract/limits.ts'
import { AppError } from '../kit/errors.ts'
import { hrefOf, places } from './paths.ts'
import type { Resource } from './resources.ts'
import { childOf, DAV, dav, element, escapeXml, parseXml, type XmlName, xmlHead } from './xml.ts'

/** A lock as answers describe it. */
export interface ShownLock {
  token: string
  path: string
  owner: string
  secondsLeft: number
}

/** What a PROPFIND asks for: these properties, or all that there are, with or without their values. */
export type Wanted = { names: readonly XmlName[] } | 'all' | 'names'

export function wantedProperties(body: string): Wanted {
  if (body.trim() === '') return 'all'
  const root = parseXml(body)
  if (root.namespace !== DAV || root.name !== 'propfind') throw new AppError('malformed', 'webdav.xml')
  const named = childOf(root, 'prop')
  if (named && named.children.length > webdav.properties) throw new AppError('malformed', 'webdav.xml')
  if (named) return { names: named.children }
  if (childOf(root, 'propname')) return 'names'
  return 'all'
}

const supportedLock = dav('lockentry', dav('lockscope', dav('exclusive')) + dav('locktype', dav('write')))

/** The values of the live properties as XML; undefined: a resource does not have it. */
const live: Record<string, (resource: Resource, locks: readonly ShownLock[]) => string | undefined> = {
  displayname: ({ segments }) => escapeXml(segments.at(-1) ?? 'Heirloom'),
  resourcetype: ({ isFolder }) => (isFolder ? dav('collection') : ''),
  creationdate: ({ createdAt }) => (createdAt === 0 ? undefined : new Date(createdAt).toISOString()),
  getlastmodified: ({ modifiedAt }) => (modifiedAt === 0 ? undefined : new Date(modifiedAt).toUTCString()),
  getcontentlength: ({ isFolder, size }) => (isFolder ? undefined : String(size)),
  getcontenttype: ({ type }) => escapeXml(type),
  getetag: ({ etag }) => etag && escapeXml(etag),
  supportedlock: () => supportedLock,
  lockdiscovery: (_, locks) => locks.map(activeLock).join(''),
}

export function activeLock({ token, path, owner, secondsLeft }: ShownLock): string {
  return dav(
    'activelock',
    dav('locktype', dav('write')) +
      dav('lockscope', dav('exclusive')) +
      dav('depth', 'infinity') +
      dav('owner', escapeXml(owner)) +
      dav('timeout', `Second-${secondsLeft}`) +
      dav('locktoken', dav('href', escapeXml(token))) +
      dav('lockroot', dav('href', escapeXml(hrefOf([places.inbox, ...path.split('/').filter(Boolean)], false)))),
  )
}

/** One `response` of a multistatus. */
function responseOf(resource: Resource, wanted: Wanted, locks: readonly ShownLock[]): string {
  const found: string[] = []
  const missing: string[] = []
  const names = wanted === 'all' || wanted === 'names' ? Object.keys(live).map(inDav) : wanted.names
  for (const name of names) {
    const value =
      name.namespace === DAV && Object.hasOwn(live, name.name) ? live[name.name]?.(resource, locks) : undefined
    if (value !== undefined) found.push(element(name, wanted === 'names' ? '' : value))
    else if (typeof wanted === 'object') missing.push(element(name))
  }
  return dav(
    'response',
    dav('href', escapeXml(hrefOf(resource.segments, resource.isFolder))) +
      (found.length > 0 || missing.length === 0 ? propstat(found, '200 OK') : '') +
      (missing.length > 0 ? propstat(missing, '404 Not Found') : ''),
  )
}

function inDav(name: string): XmlName {
  return { namespace: DAV, name }
}

function propstat(properties: readonly string[], status: string): string {
  return dav('propstat', dav('prop', properties.join('')) + dav('status', `HTTP/1.1 ${status}`))
}

/** Streams a multistatus: a folder may have 100,000 files. */
export async function* multistatus(
  resource: Resource,
  { wanted, depth, locksAt }: { wanted: Wanted; depth: 0 | 1; locksAt: (resource: Resource) => readonly ShownLock[] },
): AsyncGenerator<string> {
  yield `${xmlHead}<D:multistatus xmlns:D="DAV:">${responseOf(resource, wanted, locksAt(resource))}`
  if (depth === 1 && resource.children) {
    for await (const child of resource.children()) yield responseOf(child, wanted, locksAt(child))
  }
  yield '</D:multistatus>'
}

/**
 * The answer to a PROPPATCH. No property is kept. Windows sets times and attributes of its own after each upload and takes
 * a refusal for a failed upload, so those are accepted and ignored, as the protocol allows for live properties of clients.
 */
export function patchAnswer(body: string, resource: Resource): string {
  const root = parseXml(body)
  if (root.namespace !== DAV || root.name !== 'propertyupdate') throw new AppError('malformed', 'webdav.xml')
  const names = root.children.flatMap(child => childOf(child, 'prop')?.children ?? [])
  const isIgnored = ({ namespace }: XmlName) => namespace === 'urn:schemas-microsoft-com:'
  const accepted = names.filter(isIgnored).map(name => element(name))
  const refused = names.filter(name => !isIgnored(name)).map(name => element(name))
  // All or nothing: what would have been accepted fails with the others.
  const result =
    refused.length > 0
      ? propstat(refused, '403 Forbidden') + (accepted.length > 0 ? propstat(accepted, '424 Failed Dependency') : '')
      : propstat(accepted, '200 OK')
  return `${xmlHead}<D:multistatus xmlns:D="DAV:">${dav(
    'response',
    dav('href', escapeXml(hrefOf(resource.segments, resource.isFolder))) + result,
  )}</D:multistatus>`
}
