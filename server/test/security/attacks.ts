import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import {
  encodeJson,
  encodePart,
  extraKeys,
  hostileJson,
  hostileTexts,
  hugePathSegment,
  inBrief,
  otherSpellings,
  rawPathSegments,
} from './hostile-values.ts'
import type { Attack } from './judge.ts'
import { type Choices, fieldsOf, isNothing, type Path, replaced, validValue } from './schema-inputs.ts'

/** The input of an endpoint, before it is encoded. */
export interface Input {
  /** Already percent-encoded. */
  params: Record<string, string>
  query: Record<string, string | string[]>
  body: unknown
}

/** An input that the endpoint's schemas accept, with ids that exist. */
export function validInput(endpoint: Endpoint, choices: Choices): Input {
  const params: Input['params'] = {}
  const words = endpoint.path.split('/')
  for (const [i, word] of words.entries()) {
    if (!word.startsWith(':')) continue
    const name = word.slice(1)
    // The path segment before it tells which kind of id it is: `/api/folders/:id`.
    const before = words.slice(0, i).findLast(other => !other.startsWith(':'))
    const [id = 1] =
      choices.shuffle?.(choices.idsFor(before ?? '')) ?? choices.idsFor(name === 'id' ? (before ?? '') : name)
    // What is no number. No session has this id.
    params[name] = { session: '1'.repeat(32), date: '2024-06-01', card: 'memory:2024-06-01' }[name] ?? String(id)
  }
  accepts(endpoint, endpoint.params, params)
  return {
    params,
    query: needsQuery(endpoint) ? filledQuery(endpoint, choices) : {},
    body: isNothing(endpoint.body) ? undefined : validValue(endpoint.body, choices),
  }
}

/** For each field of the query, a query that the schema accepts: alone, or with all fields where it needs others. */
export function validQueries(endpoint: Endpoint, choices: Choices): Input['query'][] {
  if (isNothing(endpoint.query)) return []
  const filled = filledQuery(endpoint, choices)
  return Object.entries(filled).map(([name, value]) => {
    const alone = { [name]: value }
    return endpoint.query.safeParse(alone).success ? alone : filled
  })
}

function needsQuery({ query }: Endpoint): boolean {
  return !isNothing(query) && !query.safeParse({}).success
}

function filledQuery(endpoint: Endpoint, choices: Choices): Record<string, string> {
  const filled = Object.entries(validValue(endpoint.query, choices) as object)
  return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]))
}

function accepts(endpoint: Endpoint, schema: z.ZodType, value: unknown): void {
  if (isNothing(schema) || schema.safeParse(value).success) return
  throw new Error(`${endpoint.path} does not accept ${inBrief(value)}: extend the things of target.ts`)
}

/** Whether the schemas accept it, so that it reaches the handler and the database. */
function isAccepted(endpoint: Endpoint, { params, query, body }: Input): boolean {
  try {
    const decoded = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)])
    const parts: [z.ZodType, unknown][] = [
      [endpoint.params, Object.fromEntries(decoded)],
      [endpoint.query, query],
      [endpoint.body, body === undefined ? undefined : JSON.parse(encodeJson(body))],
    ]
    return parts.every(([schema, value]) => isNothing(schema) || schema.safeParse(value).success)
  } catch {
    return false
  }
}

export function encode(endpoint: Endpoint, input: Input, name: string): Attack {
  const path = endpoint.path.replace(/:(\w+)/g, (_, param: string) => input.params[param] ?? '')
  const search = Object.entries(input.query)
    .flatMap(([key, value]) => [value].flat().map(one => `${encodePart(key)}=${encodePart(one)}`))
    .join('&')
  const json = { headers: { 'content-type': 'application/json' }, body: encodeJson(input.body) }
  return {
    name,
    method: endpoint.method,
    path: search === '' ? path : `${path}?${search}`,
    ...(input.body === undefined ? {} : json),
    // Lazy, because it costs more than everything else here.
    get isAccepted() {
      return isAccepted(endpoint, input)
    },
  }
}

/** Every hostile value in every field at every depth, one at a time; everything else is valid. */
export function attacksOn(endpoint: Endpoint, valid: Input, anothersIds: readonly number[]): Attack[] {
  return [
    ...pathAttacks(endpoint, valid, anothersIds),
    ...queryAttacks(endpoint, valid),
    ...bodyAttacks(endpoint, valid, anothersIds),
    ...wrongBodies(endpoint, valid),
  ]
}

/** A sample of each kind, for callers who are rejected before the input is read. */
export function someOf(attacks: readonly Attack[], count: number): Attack[] {
  const step = Math.max(1, Math.ceil(attacks.length / count))
  return attacks.filter((_, i) => i % step === 0)
}

/** Every parameter in each notation that a careless parser would accept as an existing id. */
export function spellingAttacks(endpoint: Endpoint, valid: Input, count?: number): Attack[] {
  const ids = Object.entries(valid.params).filter(([, id]) => /^\d+$/.test(id))
  return ids.flatMap(([param, id]) =>
    otherSpellings(id)
      .slice(0, count)
      .map(spelling =>
        encode(
          endpoint,
          { ...valid, params: { ...valid.params, [param]: spelling } },
          `:${param} = ${inBrief(spelling)}`,
        ),
      ),
  )
}

function pathAttacks(endpoint: Endpoint, valid: Input, anothersIds: readonly number[]): Attack[] {
  return Object.keys(valid.params).flatMap(param => {
    const segments = [...rawPathSegments, ...hostileTexts.map(encodePart), hugePathSegment, ...anothersIds.map(String)]
    return segments.map(segment =>
      encode(endpoint, { ...valid, params: { ...valid.params, [param]: segment } }, `:${param} = ${inBrief(segment)}`),
    )
  })
}

function queryAttacks(endpoint: Endpoint, valid: Input): Attack[] {
  if (isNothing(endpoint.query)) return []
  const fields = fieldsOf(endpoint.query).flatMap(path => (path.length === 1 ? [String(path[0])] : []))
  const strangers = ['unknown', '__proto__', 'constructor', 'toString'].map(field =>
    encode(endpoint, { ...valid, query: { ...valid.query, [field]: '1' } }, `?${field}`),
  )
  const inFields = fields.flatMap(field => {
    const alone = hostileTexts.map((text): [string, Input['query']] => [
      inBrief(text),
      { ...valid.query, [field]: text },
    ])
    const twice: [string, Input['query']] = ['given twice', { ...valid.query, [field]: ['1', '../x'] }]
    const nested: [string, Input['query']] = ['with brackets', { ...valid.query, [`${field}[a][]`]: '1' }]
    return [...alone, twice, nested].map(([name, query]) =>
      encode(endpoint, { ...valid, query }, `?${field} = ${name}`),
    )
  })
  return [...inFields, ...strangers]
}

function bodyAttacks(endpoint: Endpoint, valid: Input, anothersIds: readonly number[]): Attack[] {
  if (isNothing(endpoint.body)) return []
  const hostile = [...hostileJson, ...anothersIds, anothersIds]
  const inFields = fieldsOf(endpoint.body).flatMap(path => [
    ...hostile.map(value => withField(endpoint, valid, path, value)),
    ...(path.length > 0 ? [withField(endpoint, valid, path, undefined)] : []),
  ])
  const extra = Object.entries(extraKeys).map(([key, value]) => withField(endpoint, valid, [key], value))
  const all = encode(endpoint, { ...valid, body: { ...extraKeys, ...(valid.body as object) } }, 'fields of rows')
  return [...inFields, ...extra, all]
}

function withField(endpoint: Endpoint, valid: Input, path: Path, value: unknown): Attack {
  const name = `body${path.map(step => `.${step}`).join('')} = ${value === undefined ? 'absent' : inBrief(value)}`
  return encode(endpoint, { ...valid, body: replaced(valid.body, path, value) }, name)
}

/** Bodies that do not match their content type, on calls with and without a body. */
function wrongBodies(endpoint: Endpoint, valid: Input): Attack[] {
  const bare = encode(endpoint, { ...valid, body: undefined }, '')
  const json = isNothing(endpoint.body) ? '{"id":1}' : encodeJson(valid.body)
  const bodies: [name: string, type: string, body: string | Uint8Array][] = [
    ['broken JSON', 'application/json', json.slice(0, -1)],
    ['bare JSON text', 'application/json', '"x"'],
    ['JSON with a repeated key', 'application/json', json.replace('{', '{"id":1,"id":2,')],
    ['invalid UTF-8', 'application/json', Buffer.from([0x22, 0xc0, 0xae, 0xff, 0x22])],
    ['more than is allowed', 'application/json', `"${'x'.repeat(1_000_001)}"`],
    ['JSON as text', 'text/plain', json],
    ['form', 'application/x-www-form-urlencoded', 'id=1'],
    ['multipart without a boundary', 'multipart/form-data', json],
    ['XML', 'application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['another charset', 'application/json; charset=utf-16', json],
    ['no type', '', json],
  ]
  return bodies.map(([name, type, body]) => ({
    ...bare,
    name,
    isAccepted: false,
    headers: type === '' ? {} : { 'content-type': type },
    body,
  }))
}
