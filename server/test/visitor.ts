import type { ErrorAnswer } from '#contract/common.ts'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { Browser } from './browser.ts'

/** An API client, with a session or without. */
export interface Visitor {
  /** Resolves to the successful response; anything else throws a CallRefused. */
  call<E extends Endpoint>(endpoint: E, ...input: InputOf<E>): Promise<Answer<E>>
  /** The raw response of any path. Redirects are returned, not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** No argument if the endpoint takes no input. */
type InputOf<E extends Endpoint> =
  Partial<CallInput<E>> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** As in `await expect(ben.call(adminStats)).rejects.toMatchObject({ status: 403, code: 'forbidden' })`. */
export class CallRefused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, answer: ErrorAnswer) {
    super(answer.error)
    this.name = 'CallRefused'
    this.status = status
    this.code = answer.code
  }
}

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** A client of one server, or of several, chosen per path; directly, or through a trusted proxy. */
export function visitor(where: URL | ((path: string) => URL), token?: string, way?: 'straight'): Visitor {
  const { address } = new Browser(way === 'straight' ? null : undefined)

  const send: Visitor['fetch'] = (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (address !== null && !headers.has('x-forwarded-for')) headers.set('x-forwarded-for', address)
    if (token && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`)
    return fetch(new URL(path, where instanceof URL ? where : where(path)), { redirect: 'manual', ...init, headers })
  }

  return {
    fetch: send,
    async call(endpoint, ...[input = {}]) {
      const { params = {}, query = {}, body } = input as LooseInput
      const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) search.set(name, String(value))
      const response = await send(search.size > 0 ? `${path}?${search}` : path, {
        method: endpoint.method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      const text = await response.text()
      if (!response.ok) throw new CallRefused(response.status, JSON.parse(text))
      if (response.status !== endpoint.status) throw new Error(`${path} answered ${response.status}`)
      return endpoint.answer.parse(text === '' ? undefined : JSON.parse(text)) as Answer<typeof endpoint>
    },
  }
}
