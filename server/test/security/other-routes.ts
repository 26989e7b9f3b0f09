import type { Act } from '#contract/rights.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import {
  encodePart,
  hostileTexts,
  hugePathSegment,
  inBrief,
  otherSpellings,
  rawPathSegments,
} from './hostile-values.ts'
import type { Attack, Expects } from './judge.ts'
import { metricsToken, type Target } from './target.ts'

/** How a route outside the contract is attacked. */
export interface OtherRoute {
  /** As Fastify registered it. */
  route: string
  /** Allowed success statuses. Default: only errors are correct. */
  mayAnswer?: readonly number[]
  expects?: Expects
  /** The right that it needs; default: it takes no session. */
  needs?: Act
  attacks(target: Target): Attack[]
}

const segments = [...rawPathSegments, ...hostileTexts.map(encodePart), hugePathSegment]
const everyMethod = ['POST', 'HEAD', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'GET']

/** Every route that is not an endpoint of the contract. A missing one fails the test. */
export const otherRoutes: readonly OtherRoute[] = [
  // A sign-in is started whatever the query contains.
  {
    route: 'GET /auth/google',
    mayAnswer: [302],
    attacks: () => queries('/auth/google', ['state', 'redirect_uri', 'next']),
  },
  {
    route: 'GET /auth/google/callback',
    mayAnswer: [302],
    attacks: () => queries('/auth/google/callback', ['state', 'code', 'error', 'iss', 'token']),
  },
  {
    route: 'GET /api/docs',
    mayAnswer: [200, 301, 404],
    expects: 'any shape',
    attacks: () => queries('/api/docs', ['x']),
  },
  {
    route: 'GET /api/docs/*',
    mayAnswer: [200, 301, 302, 404],
    expects: 'any shape',
    attacks: () => paths('/api/docs/'),
  },
  // The same for everyone, in the language that the browser asks for.
  {
    route: 'GET /manifest.webmanifest',
    mayAnswer: [200],
    expects: 'any shape',
    attacks: () => queries('/manifest.webmanifest', ['lang', 'title', 'x']),
  },
  { route: 'POST /share-target', mayAnswer: [303], expects: 'any shape', attacks: shareAttacks },
  {
    route: 'GET /files/*',
    attacks: target => [target.fileUrl, target.avatarUrl].flatMap(url => fileAttacks(url)),
  },
  { route: 'GET /zip', attacks: zipAttacks },
  { route: 'GET /export', attacks: () => queries('/export', ['order', 'part', 'x']) },
  { route: 'GET /shared/:id/files/:file/:size', attacks: guestAttacks },
  { route: 'GET /shared/:id/zip', attacks: guestZipAttacks },
  { route: 'GET /shared/:id/uploads/:upload/thumbnail', attacks: sentPictureAttacks },
  { route: 'ANY /shared/:id/tus', expects: 'any shape', attacks: target => guestTusAttacks(target, '') },
  { route: 'ANY /shared/:id/tus/*', expects: 'any shape', attacks: target => guestTusAttacks(target, '/') },
  { route: 'GET /metrics', attacks: metricsAttacks },
  // It only asks. What the right token does is tested with the mails.
  {
    route: 'GET /mail/unsubscribe',
    mayAnswer: [200],
    expects: 'any shape',
    attacks: () => queries('/mail/unsubscribe', ['token', 'x']),
  },
  { route: 'POST /mail/unsubscribe', attacks: unsubscribeAttacks },
  { route: 'GET /api/media/:id/file', needs: 'media.see', attacks: () => mediaPaths('/file') },
  { route: 'GET /api/media/:id/thumbnail', needs: 'media.see', attacks: () => mediaPaths('/thumbnail') },
  {
    route: 'ANY /api/uploads',
    needs: 'media.upload',
    mayAnswer: [201, 204],
    expects: 'any shape',
    attacks: tusCreations,
  },
  // A session opens nothing here; what app passwords open is tested with the feature.
  { route: 'ANY /dav', expects: 'any shape', attacks: () => davAttacks('/dav') },
  { route: 'ANY /dav/*', expects: 'any shape', attacks: () => ['/dav/Inbox/', '/dav/Folders/'].flatMap(davAttacks) },
  { route: 'ANY /api/uploads/*', needs: 'media.upload', mayAnswer: [204], expects: 'any shape', attacks: tusAttacks },
]

export function queries(path: string, fields: readonly string[]): Attack[] {
  return fields.flatMap(field =>
    [...hostileTexts.map(encodePart), ...rawPathSegments].map(value => ({
      name: `?${field} = ${inBrief(value)}`,
      method: 'GET',
      path: `${path}?${field}=${value.replaceAll('#', '%23')}`,
    })),
  )
}

export function paths(before: string, after = ''): Attack[] {
  return segments.map(segment => ({ name: inBrief(segment), method: 'GET', path: `${before}${segment}${after}` }))
}

function mediaPaths(after: string): Attack[] {
  const spellings = otherSpellings('1').map(spelling => ({
    name: `another spelling ${spelling}`,
    method: 'GET',
    path: `/api/media/${spelling}${after}`,
  }))
  return [...paths('/api/media/', after), ...spellings]
}

/** A signed URL with each of its parts tampered with. */
function fileAttacks(fileUrl: string): Attack[] {
  const [path = '', query = ''] = fileUrl.split('?')
  const signed = new URLSearchParams(query)
  const tampered: [name: string, change: Record<string, string | undefined>][] = [
    ['no signature', { sig: undefined }],
    ['empty signature', { sig: '' }],
    ['signature of another length', { sig: `${signed.get('sig')}A` }],
    ['another signature', { sig: 'A'.repeat(43) }],
    ['signature in another case', { sig: signed.get('sig')?.toLowerCase() }],
    ['later expiry', { exp: String(Number(signed.get('exp')) + 3_600) }],
    ['expiry of 2286', { exp: '9999999999' }],
    ['expiry as a float', { exp: `${signed.get('exp')}.0` }],
    ['negative expiry', { exp: '-1' }],
    ['no expiry', { exp: undefined }],
    ['another name to save under', { download: 'a.html' }],
    ['no name to save under', { download: undefined }],
    ['line break in the name', { download: 'a\r\nset-cookie: x=1' }],
  ]
  const changed = tampered.map(([name, change]) => {
    const params = new URLSearchParams(signed)
    for (const [key, value] of Object.entries(change)) value === undefined ? params.delete(key) : params.set(key, value)
    return { name, method: 'GET', path: `${path}?${params}` }
  })
  const doubled = ['sig', 'exp', 'download'].map(key => ({
    name: `${key} twice`,
    method: 'GET',
    path: `${fileUrl}&${key}=1`,
  }))
  // An empty one only adds a trailing slash, which the router ignores everywhere.
  const otherKeys = segments.filter(Boolean).flatMap(segment => [
    { name: `key ${inBrief(segment)}`, method: 'GET', path: `/files/${segment}?${query}` },
    { name: `key below the file ${inBrief(segment)}`, method: 'GET', path: `${path}/${segment}?${query}` },
  ])
  return [...changed, ...doubled, ...otherKeys]
}

function zipAttacks({ zipUrl }: Target): Attack[] {
  const cut = zipUrl.slice(0, -1)
  return [
    ...queries('/zip', ['order', 'x']),
    { name: 'order cut short', method: 'GET', path: cut },
    { name: 'order with more', method: 'GET', path: `${zipUrl}A` },
    { name: 'order twice', method: 'GET', path: `${zipUrl}&order=x` },
    { name: 'order as an array', method: 'GET', path: zipUrl.replace('order=', 'order[]=') },
  ]
}

/** The link of the victim and its files, with cookies that are missing, changed or of another link. */
function guestAttacks({ link }: Target): Attack[] {
  const file = `/shared/${link.id}/files/${link.fileId}`
  const [expiry = '', signature = ''] = link.session.split('.')
  const cookies: [name: string, session: string][] = [
    ['no session', ''],
    ['session of another link', link.anothersSession],
    ['session that lasts longer', `${Number(expiry) + 1}.${signature}`],
    ['session without a signature', `${expiry}.`],
    ['another signature', `${expiry}.${'A'.repeat(43)}`],
    ['endless session', `9${expiry}.${signature}`],
  ]
  const tampered = cookies.flatMap(([name, session]) =>
    ['thumbnail', 'desktop', 'original'].map(size => guestRequest(`${name}, ${size}`, `${file}/${size}`, session)),
  )
  // With the right cookie: another file of the library, what the link does not give, and addresses that are none.
  const others = [link.otherFileId, 0, -1, 999_999_999].map(id =>
    guestRequest(`another file ${id}`, `/shared/${link.id}/files/${id}/thumbnail`, link.session),
  )
  const sizes = ['original', 'full', 'motion', 'sidecar', 'shared', 'video', ...segments].map(size =>
    guestRequest(`size ${inBrief(size)}`, `${file}/${size || 'none'}`, link.session),
  )
  const ids = [...segments, ...otherSpellings(String(link.id))].map(id =>
    guestRequest(`link ${inBrief(id)}`, `/shared/${id || '0'}/files/${link.fileId}/thumbnail`, link.session),
  )
  return [...tampered, ...others, ...sizes, ...ids]
}

function guestZipAttacks({ link }: Target): Attack[] {
  const path = `/shared/${link.id}/zip`
  return [
    guestRequest('no session', path, ''),
    guestRequest('session of another link', path, link.anothersSession),
    guestRequest('originals', `${path}?originals=true`, link.session),
    guestRequest('originals twice', `${path}?originals=true&originals=false`, link.session),
    guestRequest('another flag', `${path}?originals=1`, link.session),
  ]
}

/** The upload link of the victim, with cookies that are missing, changed or of another guest or link. */
function uploaderCookies({ uploadLink, link }: Target): [name: string, cookies: string][] {
  const { session, guest } = uploadLink
  const [id = '', signature = ''] = guest.split('.')
  const both = (link: string, sender: string) => `heirloom_link=${link}; heirloom_guest=${sender}`
  return [
    ['no cookies', both('', '')],
    ['no link', both('', guest)],
    ['no guest', both(session, '')],
    ['link of another', both(link.session, guest)],
    ['another guest', both(session, `${Number(id) + 1}.${signature}`)],
    ['guest without a signature', both(session, `${id}.`)],
    ['another signature', both(session, `${id}.${'A'.repeat(43)}`)],
  ]
}

function sentPictureAttacks(target: Target): Attack[] {
  const { id, uploadId, session, guest } = target.uploadLink
  const path = `/shared/${id}/uploads`
  const tampered = uploaderCookies(target).map(([name, cookie]) => ({
    name,
    method: 'GET',
    path: `${path}/${uploadId}/thumbnail`,
    headers: { cookie },
  }))
  const headers = { cookie: `heirloom_link=${session}; heirloom_guest=${guest}` }
  const others = ['0', '-1', '999999999', ...segments].map(upload => ({
    name: `upload ${inBrief(upload)}`,
    method: 'GET',
    path: `${path}/${upload || '0'}/thumbnail`,
    headers,
  }))
  return [...tampered, ...others]
}

function guestTusAttacks(target: Target, slash: '' | '/'): Attack[] {
  const { id, session, guest } = target.uploadLink
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-offset': '0' }
  const tampered = uploaderCookies(target).flatMap(([name, cookie]) =>
    everyMethod.map(method => ({
      name: `${method}, ${name}`,
      method,
      path: `/shared/${id}/tus${slash}${slash && target.uploads.victimsUnfinished}`,
      headers: { ...tus, cookie },
    })),
  )
  if (slash === '') return tampered
  const headers = { ...tus, cookie: `heirloom_link=${session}; heirloom_guest=${guest}` }
  const uploads = [target.uploads.victimsUnfinished, target.uploads.victimsFinished, ...segments.filter(Boolean)]
  const others = uploads.flatMap(upload =>
    ['HEAD', 'PATCH', 'DELETE', 'GET'].map(method => ({
      name: `${method} ${inBrief(upload)}`,
      method,
      path: `/shared/${id}/tus/${upload}`,
      headers: { ...headers, 'content-type': 'application/offset+octet-stream' },
    })),
  )
  return [...tampered, ...others]
}

function guestRequest(name: string, path: string, session: string): Attack {
  return { name, method: 'GET', path, headers: { cookie: `heirloom_link=${session}` } }
}

/** Tokens that somebody made up, of people who exist. */
function unsubscribeAttacks(): Attack[] {
  const tokens = ['1.', `1.${'A'.repeat(43)}`, `2.${'A'.repeat(43)}`, `1.${'A'.repeat(44)}`, `-1.${'A'.repeat(43)}`]
  const bodies = ['List-Unsubscribe=One-Click', '{"token":"x"}', 'x'.repeat(2_000)]
  return [...tokens.map(encodePart), ...segments].flatMap((token, index) => {
    const body = bodies[index % bodies.length] ?? ''
    const path = `/mail/unsubscribe?token=${token.replaceAll('#', '%23')}`
    return { name: `token ${inBrief(token)}`, method: 'POST', path, body }
  })
}

/** Whatever is sent, nothing of it is read. */
function shareAttacks(): Attack[] {
  const [method, path] = ['POST', '/share-target']
  const multipart = 'multipart/form-data; boundary=x'
  const part = '--x\r\ncontent-disposition: form-data; name="files"; filename="../../a.jpg"\r\n\r\nevil\r\n--x--\r\n'
  const types = [multipart, 'application/json', 'text/plain', 'x', '']
  return [
    ...types.map(type => ({ name: type, method, path, headers: { 'content-type': type }, body: part })),
    ...segments.map(segment => ({
      name: inBrief(segment),
      method,
      path: `${path}?title=${segment.replaceAll('#', '%23')}`,
    })),
  ]
}

function davAttacks(path: string): Attack[] {
  const methods = ['PROPFIND', 'GET', 'PUT', 'MKCOL', 'MOVE', 'DELETE', 'LOCK', 'UNLOCK', 'PROPPATCH', 'OPTIONS']
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const credentials = [{}, basic(''), basic(':'), basic('ada@okafor.example:'), basic(`ada:${'a'.repeat(1_000)}`)]
  return [
    ...methods.flatMap(method =>
      credentials.map((headers, index) => ({
        name: `${method} with credentials ${index}`,
        method,
        path,
        headers: { depth: '1', destination: '/dav/Inbox/x', ...headers },
        ...(method === 'GET' || method === 'OPTIONS' ? {} : { body: '<a xmlns="DAV:"/>' }),
      })),
    ),
    ...segments.filter(Boolean).map(segment => ({
      name: inBrief(segment),
      method: 'PROPFIND',
      path: path.endsWith('/') ? `${path}${segment}` : `${path}/${segment}`,
      headers: { depth: '1' },
    })),
  ]
}

function metricsAttacks(): Attack[] {
  const tokens = [
    '',
    'Bearer',
    'Bearer ',
    `bearer ${metricsToken}`,
    metricsToken,
    `Bearer ${metricsToken}x`,
    'Basic Og==',
  ]
  return [
    ...tokens.map(authorization => ({
      name: authorization,
      method: 'GET',
      path: '/metrics',
      headers: { authorization },
    })),
    { name: 'token in the query', method: 'GET', path: `/metrics?token=${metricsToken}` },
  ]
}

const tus = { 'tus-resumable': '1.0.0' }

function tusCreations(): Attack[] {
  const lengths = ['-1', '0x10', '1.5', 'NaN', '1e309', '9007199254740993', '18446744073709551616', '', ' 1', '[]']
  const metadata = [
    'filename Li4vaGVpcmxvb20uZGI=',
    'filename not-base64!',
    '=',
    ',,,',
    '__proto__ eA==',
    'a '.repeat(3_000),
  ]
  return [
    ...lengths.map(length => tusRequest('POST', resumableUploadsPath, { 'upload-length': length }, `length ${length}`)),
    ...metadata.map(words =>
      tusRequest('POST', resumableUploadsPath, { 'upload-length': '1', 'upload-metadata': words }, inBrief(words)),
    ),
    ...['final;../heirloom.db', 'partial', 'final;/api/uploads/1-x'].map(concat =>
      tusRequest('POST', resumableUploadsPath, { 'upload-length': '1', 'upload-concat': concat }, concat),
    ),
    ...['POST', 'DELETE', 'GET'].map(method =>
      tusRequest('POST', resumableUploadsPath, { 'x-http-method-override': method }, `override ${method}`),
    ),
    tusRequest('POST', resumableUploadsPath, { 'upload-defer-length': '2' }, 'deferred length'),
    tusRequest('POST', resumableUploadsPath, { 'tus-resumable': '9.9.9', 'upload-length': '1' }, 'another version'),
  ]
}

/** The uploads of another person, and malformed ids, with every method. */
function tusAttacks({ uploads: { victimsFinished, victimsUnfinished } }: Target): Attack[] {
  const anothers = [victimsFinished, victimsUnfinished].flatMap(id => [
    id,
    `${id}.json`,
    `./${id}`,
    `x/../${id}`,
    `${id}/`,
    `${id}%2f`,
    `${id}?x=/${id}`,
    id.replace('-', '%2d'),
    `0${id}`,
  ])
  const ids = [...anothers, ...segments]
  return ids.flatMap((id, i) => {
    const methods = i < anothers.length ? everyMethod : [everyMethod[i % everyMethod.length] ?? 'PATCH']
    return methods.map(method =>
      tusRequest(
        method,
        `${resumableUploadsPath}/${id}`,
        method === 'PATCH' ? { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' } : {},
        `upload ${inBrief(id)}`,
        method === 'PATCH' ? 'attacker' : undefined,
      ),
    )
  })
}

function tusRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  name: string,
  body?: string,
): Attack {
  const attack = { name, method, path, headers: { ...tus, ...headers } }
  return body === undefined ? attack : { ...attack, body }
}
