import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, hasBody } from './endpoint.ts'
import { endpoints } from './index.ts'
import { jsonBodyBytes, strangersBodyBytes } from './limits.ts'

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  maxLength?: number
  contentEncoding?: string
  format?: string
  pattern?: string
  items?: JsonSchema
  maxItems?: number
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** Some clients escape every letter, as in "\u6f22". */
const BYTES_PER_LETTER = '\\u6f22'.length
const LONGEST_NUMBER = String(-Number.MAX_VALUE).length
const QUOTES_AND_COMMAS = 4
/** No text of a fixed form, such as a hash or a date, is longer. */
const LONGEST_PATTERN = 100

/** The length of the longest JSON that a schema allows; infinite if it sets no limit. Spaces between values do not count. */
function longest(schema: JsonSchema): number {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return Math.max(...choices.map(longest))
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (values) return Math.max(...values.map(value => JSON.stringify(value).length)) + QUOTES_AND_COMMAS
  switch (schema.type) {
    case 'object':
      return Object.entries(schema.properties ?? {}).reduce(
        (sum, [name, value]) => sum + name.length + QUOTES_AND_COMMAS + longest(value),
        QUOTES_AND_COMMAS,
      )
    case 'array':
      return QUOTES_AND_COMMAS + (schema.maxItems ?? Number.POSITIVE_INFINITY) * longest(schema.items ?? {})
    case 'string': {
      const { pattern = '*', maxLength = /[*+]|,\}/.test(pattern) ? Number.POSITIVE_INFINITY : LONGEST_PATTERN } =
        schema
      // A time has any number of digits after its seconds; browsers write three.
      if (schema.format === 'date-time') return LONGEST_PATTERN
      const bytes = schema.contentEncoding === 'base64' ? 1 : BYTES_PER_LETTER
      return maxLength * bytes + QUOTES_AND_COMMAS
    }
    case 'integer':
      return String(Number.MAX_SAFE_INTEGER).length + 1
    case 'number':
      return LONGEST_NUMBER
    case 'boolean':
    case 'null':
      return 'false'.length + 1
    default:
      return Number.POSITIVE_INFINITY
  }
}

const longestBody = ({ body }: Endpoint) =>
  longest(z.toJSONSchema(body, { io: 'output', unrepresentable: 'any' }) as JsonSchema)

test.each(endpoints.filter(hasBody).map(endpoint => [endpoint.method, endpoint.path, endpoint] as const))(
  'the longest body of %s %s is accepted',
  (_method, _path, endpoint) => {
    expect(longestBody(endpoint)).toBeLessThan(endpoint.act === 'anyone' ? strangersBodyBytes : jsonBodyBytes)
  },
)
