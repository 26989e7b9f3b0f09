import { z } from 'zod'
import type { Act } from './rights.ts'

/**
 * One API call as a value. The server routes it, the web client calls it and the API page documents it, so that the
 * three cannot drift apart.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for each parameter, as in `/api/folders/:id`. */
  readonly path: string
  readonly summary: string
  /** The permission that the call requires; `anyone` needs no session. */
  readonly act: Act | 'anyone'
  /** Exempt from the write rate limit: uploads and duplicate checks make many calls, others have their own limit. */
  readonly uncounted: boolean
  /**
   * Keeps the database busy in a large library: one person's calls of this kind are answered one after the other, those with
   * another `act` apart from them, so that lists do not wait for changes.
   */
  readonly serializedPerPerson: boolean
  /** Whether the browser keeps the latest answers of this GET, to show them while the server cannot be reached. */
  readonly offline: boolean
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The HTTP status of a success. 204 has no body. */
  readonly status: 200 | 201 | 204
  readonly answer: Answer
}

const Nothing = z.undefined()
type Nothing = typeof Nothing

interface Definition<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> {
  method: Endpoint['method']
  path: string
  summary: string
  act: Act | 'anyone'
  uncounted?: boolean
  serializedPerPerson?: boolean
  offline?: boolean
  params?: Params
  query?: Query
  body?: Body
  status?: 200 | 201
  /** If omitted, the call answers 204 without a body. */
  answer?: Answer
}

export function endpoint<
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
  Answer extends z.ZodType = Nothing,
>(definition: Definition<Params, Query, Body, Answer>): Endpoint<Params, Query, Body, Answer> {
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    act: definition.act,
    uncounted: definition.uncounted ?? false,
    serializedPerPerson: definition.serializedPerPerson ?? false,
    offline: definition.offline ?? false,
    params: definition.params ?? (Nothing as unknown as Params),
    query: definition.query ?? (Nothing as unknown as Query),
    body: definition.body ?? (Nothing as unknown as Body),
    status: definition.answer ? (definition.status ?? 200) : 204,
    answer: definition.answer ?? (Nothing as unknown as Answer),
  }
}

export function hasBody({ body }: Endpoint): boolean {
  return body.type !== 'undefined'
}

/** The parsed input that the server passes to an endpoint's handler. */
export interface ParsedInput<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
}

type Given<Key extends string, Schema extends z.ZodType> =
  undefined extends z.input<Schema> ? { [K in Key]?: z.input<Schema> } : { [K in Key]: z.input<Schema> }

/** What a client passes: only the parts that the endpoint declares. */
export type CallInput<E extends Endpoint> = Given<'params', E['params']> &
  Given<'query', E['query']> &
  Given<'body', E['body']>

export type Answer<E extends Endpoint> = z.output<E['answer']>
