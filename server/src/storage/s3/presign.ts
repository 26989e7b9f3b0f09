import { createHash, createHmac } from 'node:crypto'
import type { Clock } from '#server/kit/clock.ts'
import type { PictureUrls } from '../storage.ts'
import type { S3Settings } from './bucket.ts'

/** Makes presigned URLs (AWS Signature Version 4, in the query). */
export interface Presigner {
  /** The store's origin as browsers see it. */
  readonly origin: string
  presign(key: string, answerHeaders?: ResponseHeaders): string
  /** The same in parts: all but the signature is common to the URLs of a window. */
  shared(): PictureUrls
}

/** Response headers that override those stored with the object. */
export interface ResponseHeaders {
  'response-content-disposition'?: string
}

/** Signatures are dated to the start of a time window, so that a URL is stable within it and browsers can cache. */
const WINDOW_SECONDS = 30 * 60
const LASTS_SECONDS = 2 * WINDOW_SECONDS

/** Size of the cache for URLs of the current window, which pages request repeatedly. */
const MAX_CACHED = 20_000

/** Synchronous, unlike the SDK's presigner: a page of the gallery needs a thousand URLs. */
export function createPresigner(settings: S3Settings, clock: Clock): Presigner {
  const base = publicBase(settings)
  const windowOf = (now: number) => Math.floor(now / 1000 / WINDOW_SECONDS) * WINDOW_SECONDS
  let window = openWindow(settings, windowOf(clock()))

  function currentWindow(): Window {
    const begins = windowOf(clock())
    if (begins !== window.begins || window.cache.size >= MAX_CACHED) window = openWindow(settings, begins)
    return window
  }

  function signedQuery(within: Window, key: string, answerHeaders: ResponseHeaders): string {
    const name = `${key}\n${answerHeaders['response-content-disposition'] ?? ''}`
    const known = within.cache.get(name)
    if (known !== undefined) return known
    const query = sign(base, within, key, answerHeaders)
    within.cache.set(name, query)
    return query
  }

  return {
    origin: base.origin,
    presign: (key, answerHeaders = {}) =>
      `${base.href}${encodeKey(key)}?${signedQuery(currentWindow(), key, answerHeaders)}`,
    shared() {
      const within = currentWindow()
      const query = `${queryOf(within, {})}${SIGNATURE}`
      return { base: base.href, query, sign: key => signedQuery(within, key, {}).slice(query.length) }
    },
  }
}

interface Window {
  begins: number
  date: string
  scope: string
  signingKey: Buffer
  accessKeyId: string
  /** Signed queries by key and headers. */
  cache: Map<string, string>
}

function openWindow({ region, accessKeyId, secretAccessKey }: S3Settings, begins: number): Window {
  const date = new Date(begins * 1000).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = date.slice(0, 8)
  const scope = [day, region, 's3', 'aws4_request']
  let signingKey: Buffer = Buffer.from(`AWS4${secretAccessKey}`)
  for (const part of scope) signingKey = hmac(signingKey, part)
  return { begins, date, scope: scope.join('/'), signingKey, accessKeyId, cache: new Map() }
}

const SIGNATURE = '&X-Amz-Signature='

/** The query with its signature. */
function sign(base: URL, window: Window, key: string, answerHeaders: ResponseHeaders): string {
  const path = `${base.pathname}${encodeKey(key)}`
  const query = queryOf(window, answerHeaders)
  const request = ['GET', path, query, `host:${base.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', window.date, window.scope, sha256(request)].join('\n')
  return `${query}${SIGNATURE}${hmac(window.signingKey, toSign).toString('hex')}`
}

function queryOf(window: Window, answerHeaders: ResponseHeaders): string {
  return Object.entries({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${window.accessKeyId}/${window.scope}`,
    'X-Amz-Date': window.date,
    'X-Amz-Expires': String(LASTS_SECONDS),
    'X-Amz-SignedHeaders': 'host',
    ...answerHeaders,
  })
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

function encodeKey(key: string): string {
  return key.split('/').map(encode).join('/')
}

/** URL of the bucket, with a trailing slash. */
export function publicBase({ endpoint, publicEndpoint, region, bucket, forcePathStyle }: S3Settings): URL {
  const store = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (forcePathStyle) store.pathname = `/${bucket}/`
  else store.hostname = `${bucket}.${store.hostname}`
  return store
}

/** Escapes more characters than `encodeURIComponent`, as the signature requires. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
