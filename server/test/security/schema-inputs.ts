import type { z } from 'zod'

/** A path in a value: field names and array indexes. */
export type Path = readonly (string | number)[]

/** Existing ids for a field of this name (`:id` of a path is passed with the segments before it). */
export type IdsFor = (name: string) => readonly number[]

/** The parts of a schema's definition that are needed to generate values. */
interface Definition {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
  entries?: Record<string, string | number>
  values?: unknown[]
  items?: z.ZodType[]
}

function definitionOf(schema: z.ZodType): Definition {
  return schema.def as unknown as Definition
}

/** The schema without optional, nullable and catch wrappers. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType, in: input, out: output, type } = definitionOf(schema)
  // The schema of a pipe is its input or, if that is a function (`z.preprocess`), its output.
  const piped = type === 'pipe' && input ? (definitionOf(input).type === 'transform' ? output : input) : undefined
  const inner = innerType ?? piped
  return inner ? unwrap(inner) : schema
}

export function isNothing(schema: z.ZodType): boolean {
  return definitionOf(schema).type === 'undefined'
}

/** Every field at every depth, starting with the whole value. */
export function fieldsOf(schema: z.ZodType, at: Path = []): Path[] {
  const inner = unwrap(schema)
  const { shape, element, options } = definitionOf(inner)
  const below = [
    ...Object.entries(shape ?? {}).flatMap(([name, field]) => fieldsOf(field, [...at, name])),
    ...(element ? fieldsOf(element, [...at, 0]) : []),
    ...(options ?? []).flatMap(option => fieldsOf(option, at).filter(path => path.length > at.length)),
  ]
  return [at, ...below]
}

/** Texts in the formats of the contract; each field uses the first that its schema accepts. */
const usualTexts = [
  'Summer at the lake',
  'beach.jpg',
  'a'.repeat(64),
  '2024-06',
  '2024-06-01',
  '06-01',
  '2024-06-01T12:34:56Z',
  '2024-06-01T12:34:56',
  'https://example.org/a',
  'person@example.org',
  'root',
  '-10,-10,10,10',
  '01234567-89ab-4def-8123-456789abcdef',
  '1',
  '196X',
  '1964/1970',
  '2024-06-01T00:00:00Z/2024-06-02T00:00:00Z',
  'Europe/Lisbon',
  // Keys of a push subscription: the base point of P-256, and 16 bytes.
  'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  'AAECAwQFBgcICQoLDA0ODw',
]
// The last is a size of a download's parts.
const usualNumbers = [1, 2, 10, 100, 0.5, 0, 1_000_000_000]

export interface Choices {
  idsFor: IdsFor
  /** A pagination cursor of the target. */
  cursor: string
  /** Reorders the candidates; by default the first is used. */
  shuffle?: <T>(values: readonly T[]) => readonly T[]
}

/** A value that the schema accepts, with every optional field set. */
export function validValue(schema: z.ZodType, choices: Choices, name = ''): unknown {
  const { shuffle = values => values } = choices
  for (const candidate of candidates(schema, choices, name, shuffle)) {
    if (schema.safeParse(candidate).success) return candidate
  }
  throw new Error(`The test cannot make a valid ${definitionOf(schema).type} for '${name}': extend schema-inputs.ts`)
}

function candidates(
  schema: z.ZodType,
  choices: Choices,
  name: string,
  shuffle: <T>(values: readonly T[]) => readonly T[],
): readonly unknown[] {
  const inner = unwrap(schema)
  const { type, shape, element, options, entries, values, items } = definitionOf(inner)
  const ids = () => choices.idsFor(name)
  switch (type) {
    case 'object':
      return [
        Object.fromEntries(
          Object.entries(shape ?? {}).map(([key, field]) => [
            key,
            validValue(field, choices, key === 'id' ? name || key : key),
          ]),
        ),
      ]
    case 'array':
      return [1, 2, 3].map(length => Array.from({ length }, () => element && validValue(element, choices, name)))
    case 'tuple':
      return [(items ?? []).map(item => validValue(item, choices, name))]
    case 'union':
      return shuffle(options ?? []).map(option => validValue(option, choices, name))
    case 'enum':
      return shuffle(Object.values(entries ?? {}))
    case 'literal':
      return values ?? []
    case 'boolean':
      return shuffle([true, false])
    case 'string':
      if (name === 'cursor') return [choices.cursor]
      // Part of the name of an existing file.
      if (name === 'search') return ['lake']
      return [...shuffle(usualTexts), ...usualTexts]
    case 'number':
    case 'int':
      return [...shuffle(ids()), ...shuffle(usualNumbers)]
    case 'undefined':
      return [undefined]
    default:
      return [...usualTexts, ...usualNumbers, true, null, {}, []]
  }
}

/** A copy with another value at a path; missing parents are created. */
export function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by
  if (typeof first === 'number') {
    const copy = Array.isArray(value) ? [...value] : []
    copy[first] = replaced(copy[first], rest, by)
    return copy
  }
  const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return { ...object, [first]: replaced(object[first], rest, by) }
}
