import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { appPasswordScopes } from '#contract/app-password-scopes.ts'
import { AppPasswordScope } from '#contract/app-passwords.ts'
import { endpoints } from '#contract/index.ts'
import { openApiDocument } from './openapi.ts'
import { exampleOf } from './openapi-examples.ts'

const document = openApiDocument({ title: 'Heirloom API', version: '1' }, endpoints)

interface Operation {
  security: Record<string, string[]>[]
  parameters: { name: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>
}

function operationOf({ method, path }: { method: string; path: string }): Operation | undefined {
  const template = path.replace(/:(\w+)/g, '{$1}')
  return document.paths[template]?.[method.toLowerCase()] as Operation | undefined
}

describe('the document of the API', () => {
  test.each(endpoints.map(endpoint => ({ route: `${endpoint.method} ${endpoint.path}`, endpoint })))(
    'has examples for $route that its schemas accept',
    ({ endpoint }) => {
      const operation = operationOf(endpoint)
      for (const schema of [endpoint.params, endpoint.query, endpoint.body, endpoint.answer]) {
        if (schema instanceof z.ZodUndefined) continue
        // As JSON carries it.
        const example: unknown = JSON.parse(JSON.stringify(exampleOf(schema) ?? null))
        expect(schema.safeParse(example).error, JSON.stringify(example)).toBeUndefined()
      }
      const answer = operation?.responses[endpoint.status]?.content?.['application/json']
      expect(answer?.example !== undefined).toBe(endpoint.status !== 204)
      if (endpoint.body.type !== 'undefined') {
        expect(operation?.requestBody?.content['application/json']?.example).toBeDefined()
      }
      for (const { name, example } of operation?.parameters ?? []) {
        if (endpoint.path.includes(`:${name}`)) expect(example).toBeDefined()
      }
    },
  )

  test('says of every call by which app passwords it can be made', () => {
    for (const scope of AppPasswordScope.options) {
      for (const route of appPasswordScopes[scope]) {
        if (route.method === 'ANY') continue
        expect(operationOf(route)?.security).toContainEqual({ [`appPassword_${scope}`]: [] })
      }
    }
    const withPasswords = endpoints.filter(one => (operationOf(one)?.security.length ?? 0) > 1)
    const listed = new Set(Object.values(appPasswordScopes).flatMap(routes => routes.map(({ path }) => path)))
    expect(withPasswords.filter(({ path }) => !listed.has(path))).toEqual([])
    expect(operationOf({ method: 'POST', path: '/api/uploads' })?.security).toContainEqual({ appPassword_upload: [] })
  })
})
