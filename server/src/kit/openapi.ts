import { z } from 'zod'
import { ErrorAnswer } from '#contract/common.ts'
import type { Endpoint } from '#contract/endpoint.ts'

interface About {
  title: string
  version: string
}

/** The contract as an OpenAPI document. */
export function openApiDocument(about: About, endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: about,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: jsonSchema(ErrorAnswer, 'output') },
    },
    paths,
  }
}

function operation(endpoint: Endpoint) {
  const success = {
    description: endpoint.status === 204 ? 'Done' : 'The answer',
    ...content(endpoint.answer, 'output'),
  }
  const failure = {
    description: 'What went wrong',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  return {
    summary: endpoint.summary,
    tags: [tagOf(endpoint.path)],
    security: endpoint.act === 'anyone' ? [] : [{ session: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(isNothing(endpoint.body) ? {} : { requestBody: { required: true, ...content(endpoint.body, 'input') } }),
    responses: { [endpoint.status]: success, default: failure },
  }
}

function parameters(schema: z.ZodType, place: 'path' | 'query') {
  if (isNothing(schema)) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function content(schema: z.ZodType, direction: 'input' | 'output') {
  return isNothing(schema) ? {} : { content: { 'application/json': { schema: jsonSchema(schema, direction) } } }
}

function jsonSchema(schema: z.ZodType, direction: 'input' | 'output') {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: direction, unrepresentable: 'any' })
  return rest
}

function isNothing(schema: z.ZodType): boolean {
  return schema.type === 'undefined'
}

/** `/api/notes/media/:id` belongs with the notes. */
function tagOf(path: string): string {
  const [, first, second] = path.split('/')
  return (first === 'api' ? second : first) ?? 'other'
}
