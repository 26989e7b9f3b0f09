import { z } from 'zod'
import type { Act } from './rights.ts'

/**
 * One call of the product as a value. The server serves it, the web calls it and the API page documents it, so the
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
  /** What a person must be allowed to do; `anyone` needs no session. */
  readonly act: Act | 'anyone'
  /** Not counted among writes: uploads and duplicate checks, whose many calls are no abuse, and what has a limit of its own. */
  readonly uncounted: boolean
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The status of success. 204 has no body. */
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
  params?: Params
  query?: Query
  body?: Body
  status?: 200 | 201
  /** Left out: the call answers 204 with no body. */
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
    params: definition.params ?? (Nothing as unknown as Params),
    query: definition.query ?? (Nothing as unknown as Query),
    body: definition.body ?? (Nothing as unknown as Body),
    status: definition.answer ? (definition.status ?? 200) : 204,
    answer: definition.answer ?? (Nothing as unknown as Answer),
  }
}

/** What the server hands to the function behind an endpoint, after parsing. */
export interface ParsedInput<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
}

type Given<Key extends string, Schema extends z.ZodType> =
  undefined extends z.input<Schema> ? { [K in Key]?: z.input<Schema> } : { [K in Key]: z.input<Schema> }

/** What a caller has to bring: only the parts the endpoint asks for. */
export type CallInput<E extends Endpoint> = Given<'params', E['params']> &
  Given<'query', E['query']> &
  Given<'body', E['body']>

export type Answer<E extends Endpoint> = z.output<E['answer']>
