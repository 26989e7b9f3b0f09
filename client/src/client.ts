import { appSettings } from '#contract/auth.ts'
import { ErrorAnswer } from '#contract/common.ts'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import type { MediaFile } from '#contract/media.ts'
import { listMedia, type MediaQuery } from '#contract/media-list.ts'
import { requestUrl } from '#contract/request-url.ts'

export interface ClientOptions {
  /** Of the library, as in a browser. */
  url: string | URL
  /** An app password, or the token of a session. */
  token: string
  fetch?: typeof fetch
}

/** Why a call failed: what the server says, in English. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  /** 0 without any response. */
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
  }
}

/** No argument if the endpoint takes no input. */
type InputOf<E extends Endpoint> =
  Partial<CallInput<E>> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  /** Sent again after "too many requests", so no stream. */
  body?: string | Blob | FormData
  signal?: AbortSignal | undefined
}

/** The API of a library, typed by the contract; works wherever there is `fetch`. */
export interface Client {
  /** As in `client.call(getMedia, { params: { id: 42 } })`. Throws `CallFailed`. */
  call<E extends Endpoint>(endpoint: E, ...input: InputOf<E>): Promise<Answer<E>>
  /** The response of any path of the API, with the token. Throws `CallFailed` unless the status is 2xx. */
  request(path: string, options?: RequestOptions): Promise<Response>
  /** The same on the host for uploads, which may be another one. */
  requestUpload(path: string, options?: RequestOptions): Promise<Response>
  /** The bytes of a file, by a `url` of its answer. These are signed, and get no token. */
  download(url: string, signal?: AbortSignal): Promise<Response>
  /** All files that match, page by page. */
  files(query: Omit<MediaQuery, 'limit' | 'cursor'>): AsyncGenerator<MediaFile>
}

/** The server says how long to wait; a longer wait is an error. */
const LONGEST_WAIT_SECONDS = 90
const MOST_WAITS = 10
const PAGE = 200

export function openClient({ url, token, fetch: send = fetch }: ClientOptions): Client {
  const base = new URL(url)
  let uploadsBase: Promise<URL> | undefined

  async function request(host: URL, path: string, options: RequestOptions = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...options.headers }
    const init = { ...options, headers, signal: options.signal ?? null, redirect: 'error' as const }
    for (let waits = 0; ; waits++) {
      const response = await send(new URL(path, host), init).catch(error => {
        options.signal?.throwIfAborted()
        throw new CallFailed(0, 'unreachable', `${host.origin} cannot be reached.`, { cause: error })
      })
      if (response.ok) return response
      const failure = await failureOf(response)
      const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
      if (response.status !== 429 || !(wait <= LONGEST_WAIT_SECONDS) || waits >= MOST_WAITS) throw failure
      await delay(wait * 1_000, options.signal)
    }
  }

  const client: Client = {
    async call(endpoint, ...[input = {}]) {
      const { params, query, body } = input as { params?: unknown; query?: unknown; body?: unknown }
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const options = { method: endpoint.method, ...(body === undefined ? {} : json) }
      const response = await request(base, requestUrl(endpoint.path, params, query), options)
      const text = await response.text()
      return endpoint.answer.parse(text === '' ? undefined : JSON.parse(text)) as Answer<typeof endpoint>
    },
    request: (path, options) => request(base, path, options),
    async requestUpload(path, options) {
      uploadsBase ??= client.call(appSettings).then(({ uploadsUrl }) => new URL(uploadsUrl ?? base))
      uploadsBase.catch(() => {
        uploadsBase = undefined
      })
      return request(await uploadsBase, path, options)
    },
    async download(address, signal) {
      const response = await send(new URL(address, base), { signal: signal ?? null })
      if (!response.ok) throw await failureOf(response)
      return response
    },
    async *files(query) {
      let cursor: string | undefined
      do {
        const input = { query: { ...query, limit: PAGE, cursor } } as CallInput<typeof listMedia>
        const { files, next_cursor } = await client.call(listMedia, input)
        yield* files
        cursor = next_cursor ?? undefined
      } while (cursor !== undefined)
    },
  }
  return client
}

async function failureOf(response: Response): Promise<CallFailed> {
  const text = await response.text().catch(() => '')
  const known = ErrorAnswer.safeParse(parsed(text)).data
  return known
    ? new CallFailed(response.status, known.code, known.error)
    : new CallFailed(response.status, 'unknown', `The server answered ${response.status}.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Of a proxy, or the store of the files.
    return undefined
  }
}

/** Rejects when the signal is aborted. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    signal?.throwIfAborted()
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', () => clearTimeout(timer), { once: true })
    signal?.addEventListener('abort', abort, { once: true })
  })
}
