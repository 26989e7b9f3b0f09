import { createHash, createHmac } from 'node:crypto'
import type { Clock } from '#server/kit/clock.ts'
import type { S3Settings } from './bucket.ts'

/** Makes presigned URLs (AWS Signature Version 4, in the query). */
export interface Presigner {
  /** The store's origin as browsers see it. */
  readonly origin: string
  presign(key: string, answerHeaders?: ResponseHeaders): string
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

  return {
    origin: base.origin,
    presign(key, answerHeaders = {}) {
      const begins = windowOf(clock())
      if (begins !== window.begins || window.cache.size >= MAX_CACHED) window = openWindow(settings, begins)
      const disposition = answerHeaders['response-content-disposition'] ?? ''
      const name = `${key}\n${disposition}`
      const known = window.cache.get(name)
      if (known !== undefined) return known
      const address = sign(base, window, key, answerHeaders)
      window.cache.set(name, address)
      return address
    },
  }
}

interface Window {
  begins: number
  date: string
  scope: string
  signingKey: Buffer
  accessKeyId: string
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

function sign(base: URL, window: Window, key: string, answerHeaders: ResponseHeaders): string {
  const path = `${base.pathname}${key.split('/').map(encode).join('/')}`
  const query = Object.entries({
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
  const request = ['GET', path, query, `host:${base.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', window.date, window.scope, sha256(request)].join('\n')
  return `${base.origin}${path}?${query}&X-Amz-Signature=${hmac(window.signingKey, toSign).toString('hex')}`
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
