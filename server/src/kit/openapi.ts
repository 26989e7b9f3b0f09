import { z } from 'zod'
import { isInScope } from '#contract/app-password-scopes.ts'
import { AppPasswordScope } from '#contract/app-passwords.ts'
import { ErrorAnswer } from '#contract/common.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { mediaFilePath, mediaThumbnailPath } from '#contract/media.ts'
import { FileMetadata, resumableUploadsPath, uploadMedia } from '#contract/upload.ts'
import { exampleOf } from './openapi-examples.ts'

interface About {
  title: string
  version: string
}

/** The contract as an OpenAPI document. */
export function openApiDocument(about: About, endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = asTemplate(endpoint.path)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  for (const [path, operations] of Object.entries(otherOperations())) paths[path] = { ...paths[path], ...operations }
  return {
    openapi: '3.1.0',
    info: about,
    components: {
      securitySchemes,
      schemas: { Error: { ...jsonSchema(ErrorAnswer, 'output'), examples: [exampleOf(ErrorAnswer)] } },
    },
    paths,
  }
}

const securitySchemes = {
  session: { type: 'http', scheme: 'bearer', description: 'The token of a signed-in browser.' },
  ...Object.fromEntries(
    AppPasswordScope.options.map(scope => [
      schemeOf(scope),
      {
        type: 'http',
        scheme: 'bearer',
        description: `An app password that may ${scope}, made in My settings. Calls that do not list it answer 403.`,
      },
    ]),
  ),
}

function schemeOf(scope: AppPasswordScope): string {
  return `appPassword_${scope}`
}

/** Any one of them is enough. */
function security(method: string, path: string): Record<string, string[]>[] {
  const scopes = AppPasswordScope.options.filter(scope => isInScope(scope, method, path))
  return [{ session: [] }, ...scopes.map(scope => ({ [schemeOf(scope)]: [] }))]
}

/** Operations of routes whose bodies are no JSON. */
function otherOperations(): Record<string, Record<string, unknown>> {
  const form = {
    required: true,
    description:
      'Or JSON with `fileMetadata`, where every `uploadId` names a finished resumable upload. Files are sent again without harm: those that the library has are answered as `duplicates`.',
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            files: { type: 'array', items: { type: 'string', format: 'binary' } },
            fileMetadata: { type: 'array', items: jsonSchema(FileMetadata, 'input') },
          },
        },
        example: { files: ['(the bytes of lake.jpg)'], fileMetadata: [exampleOf(FileMetadata)] },
      },
    },
  }
  const upload = operation(uploadMedia)
  const file = (path: string, summary: string) => ({
    [asTemplate(path)]: { get: otherOperation('get', path, summary, '302', 'A short-lived address of the file') },
  })
  const tus = (method: string, path: string, summary: string, status: string) => ({
    [method]: otherOperation(method, path, `${summary} (tus 1.0.0)`, status, 'Done', tusHeaders[method]),
  })
  const one = `${resumableUploadsPath}/:upload`
  return {
    [uploadMedia.path]: { post: { ...upload, requestBody: form } },
    ...file(mediaFilePath, 'The file as browsers show it'),
    ...file(mediaThumbnailPath, 'A small picture of the file'),
    [resumableUploadsPath]: tus(
      'post',
      resumableUploadsPath,
      'Begin a resumable upload. `Location` is its address',
      '201',
    ),
    [asTemplate(one)]: {
      ...tus('head', one, 'How many bytes have arrived', '200'),
      ...tus('patch', one, 'Send the next bytes', '204'),
      ...tus('delete', one, 'Give the upload up', '204'),
    },
  }
}

const tusHeaders: Record<string, Record<string, string>> = {
  post: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '4211034' },
  head: { 'Tus-Resumable': '1.0.0' },
  patch: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
  delete: { 'Tus-Resumable': '1.0.0' },
}

function otherOperation(
  method: string,
  path: string,
  summary: string,
  status: string,
  description: string,
  headers: Record<string, string> = {},
) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const parameter = (place: string, name: string, example: string) => ({
    name,
    in: place,
    required: true,
    schema: { type: 'string' },
    example,
  })
  const uploadId = '7-01234567-89ab-4def-8123-456789abcdef'
  return {
    summary,
    tags: [tagOf(path)],
    // Of resumable uploads a scope has all methods below the path.
    security: security(
      path === mediaFilePath || path === mediaThumbnailPath ? method.toUpperCase() : 'ANY',
      path.replace(':upload', '*'),
    ),
    parameters: [
      ...names.map(name => parameter('path', name, name === 'upload' ? uploadId : '42')),
      ...Object.entries(headers).map(([name, value]) => parameter('header', name, value)),
    ],
    responses: { [status]: { description }, default: failure },
  }
}

const failure = {
  description: 'What went wrong',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function operation(endpoint: Endpoint) {
  const success = {
    description: endpoint.status === 204 ? 'Done' : 'The answer',
    ...content(endpoint.answer, 'output'),
  }
  return {
    summary: endpoint.summary,
    tags: [tagOf(endpoint.path)],
    security: endpoint.act === 'anyone' ? [] : security(endpoint.method, endpoint.path),
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
  const examples = exampleOf(schema) as Record<string, unknown>
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }))
}

function content(schema: z.ZodType, direction: 'input' | 'output') {
  if (isNothing(schema)) return {}
  return { content: { 'application/json': { schema: jsonSchema(schema, direction), example: exampleOf(schema) } } }
}

function jsonSchema(schema: z.ZodType, direction: 'input' | 'output') {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: direction, unrepresentable: 'any' })
  return rest
}

function isNothing(schema: z.ZodType): boolean {
  return schema.type === 'undefined'
}

/** As OpenAPI writes paths. */
function asTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** `/api/notes/media/:id` belongs with the notes. */
function tagOf(path: string): string {
  const [, first, second] = path.split('/')
  return (first === 'api' ? second : first) ?? 'other'
}
