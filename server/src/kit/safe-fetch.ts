import { createWriteStream } from 'node:fs'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestByHttp,
} from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { isLoopbackHost, isPublicAddress } from './ip-addresses.ts'
import { resolveName } from './resolve-name.ts'

/** The URL is not allowed or its response not acceptable; a retry would not help. */
export class FetchRefused extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'FetchRefused'
  }
}

interface Limits {
  maxBytes: number
  timeoutMs: number
  signal: AbortSignal
  /** The one origin that may be a private address or plain http, because the configuration names it. */
  trustedOrigin?: string | undefined
  /** All addresses of a host name. */
  resolve?: (hostname: string, signal: AbortSignal) => Promise<string[]>
}

export interface SafeFetchOptions extends Limits {
  /** The target file, which must not exist. */
  into: string
  /** The required start of the content type, such as `image/`. */
  typePrefix: string
}

const MAX_REDIRECTS = 3

/**
 * Fetches an untrusted URL (SSRF protection): only https to public addresses, or the trusted origin. The connection is
 * pinned to the addresses that were checked, so DNS rebinding has no effect.
 */
export async function safeFetch(source: string, options: SafeFetchOptions): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
  let url = parseUrl(source)
  let trusted = url.origin === options.trustedOrigin
  for (let redirects = 0; ; redirects++) {
    const pinned = trusted ? undefined : await checkedAddresses(url, options, signal)
    const response = await sendRequest(url, pinned, { headers: acceptedTypes(options) }, signal)
    const next = redirectOf(response)
    if (next === undefined) return download(response, options, signal)
    response.destroy()
    if (redirects === MAX_REDIRECTS) throw new FetchRefused('The address redirects too often')
    const target = parseUrl(next, url)
    // Another site must not redirect to the trusted origin.
    trusted = trusted && target.origin === options.trustedOrigin
    url = target
  }
}

export interface SafePostOptions extends Limits {
  headers: Readonly<Record<string, string | number>>
  body: Buffer
}

export interface PostResponse {
  status: number
  headers: IncomingHttpHeaders
}

/**
 * Posts to an untrusted URL, under the same rules. Every status is an answer; redirects are not followed, and the body of the
 * answer is not kept.
 */
export async function safePost(source: string, options: SafePostOptions): Promise<PostResponse> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
  const url = parseUrl(source)
  const isTrusted = url.origin === options.trustedOrigin
  const pinned = isTrusted ? undefined : await checkedAddresses(url, options, signal)
  const { headers, body } = options
  const response = await sendRequest(url, pinned, { method: 'POST', headers, body }, signal)
  // Read to its end before the connection is closed, as far as it is short.
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    if (bytes > options.maxBytes) break
  }
  return { status: response.statusCode ?? 0, headers: response.headers }
}

function parseUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (!url) throw new FetchRefused('The address is not a URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new FetchRefused('The address is not a web address')
  if (url.username || url.password) throw new FetchRefused('The address holds a password')
  return url
}

/** Resolves the host once. Every one of its addresses must be public, not only the one that is used. */
async function checkedAddresses(
  url: URL,
  { resolve = resolveName }: Limits,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (url.protocol !== 'https:') throw new FetchRefused('Only https addresses are fetched')
  if (url.port !== '') throw new FetchRefused('Only the standard port of https is fetched from')
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  if (isLoopbackHost(hostname)) throw notPublic()
  const addresses = isIP(hostname) ? [hostname] : await untilAborted(resolve(hostname, signal), signal)
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) {
    throw notPublic()
  }
  return addresses
}

function notPublic(): FetchRefused {
  return new FetchRefused('The address does not belong to a public server')
}

/** For a step that may not end with its signal: then it continues, but is not awaited any longer. */
function untilAborted<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    step.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function acceptedTypes({ typePrefix }: SafeFetchOptions) {
  return { accept: `${typePrefix}*`, 'accept-encoding': 'identity' }
}

interface Sent {
  method?: 'POST'
  headers: OutgoingHttpHeaders
  body?: Buffer
}

function sendRequest(
  url: URL,
  pinned: readonly string[] | undefined,
  { method, headers, body }: Sent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestByHttps : requestByHttp
  return new Promise((resolve, reject) => {
    request(url, {
      // No keep-alive: a reused connection may lead to an address that was checked for another host.
      agent: false,
      ...(method === undefined ? {} : { method }),
      headers: { 'user-agent': 'Heirloom', ...headers },
      signal,
      ...(pinned === undefined ? {} : { lookup: pinnedLookup(pinned), autoSelectFamily: true }),
    })
      .on('response', resolve)
      .on('error', reject)
      .end(body)
  })
}

/** With `autoSelectFamily` Node tries the addresses one after the other until one answers. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  return (_hostname, _options, done) =>
    done(
      null,
      addresses.map(address => ({ address, family: isIP(address) })),
    )
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined
}

async function download(response: IncomingMessage, options: SafeFetchOptions, signal: AbortSignal): Promise<void> {
  try {
    checkResponse(response, options)
  } catch (error) {
    response.destroy()
    throw error
  }
  let bytes = 0
  async function* bounded(body: AsyncIterable<Buffer>) {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > options.maxBytes) throw new FetchRefused('The answer is too large')
      yield chunk
    }
  }
  await pipeline(response, bounded, createWriteStream(options.into, { flags: 'wx' }), { signal })
}

function checkResponse({ statusCode = 0, headers }: IncomingMessage, { typePrefix, maxBytes }: SafeFetchOptions): void {
  // Temporary errors may be retried.
  if (statusCode >= 500 || statusCode === 429) throw new Error(`The address answered ${statusCode}`)
  if (statusCode !== 200) throw new FetchRefused(`The address answered ${statusCode}`)
  if (!headers['content-type']?.startsWith(typePrefix)) throw new FetchRefused('The answer is of another type')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new FetchRefused('The answer is compressed')
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new FetchRefused('The answer is too large')
}
