import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'

const contract = fileURLToPath(new URL('../../../contract/src', import.meta.url))

/**
 * Every endpoint that any file of the contract exports, including subfolders and nested values, so that new endpoints
 * are attacked without registration.
 */
export async function contractEndpoints(folder = contract): Promise<Endpoint[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const modules = files
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href) as Promise<object>)
  const found = new Set<Endpoint>()
  for (const module of await Promise.all(modules)) collect({ ...module }, found, new Set())
  return [...found]
}

function collect(value: unknown, found: Set<Endpoint>, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || value instanceof z.ZodType || seen.has(value)) return
  seen.add(value)
  if (isEndpoint(value)) {
    found.add(value)
    return
  }
  const inner = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value)
  for (const one of inner) collect(one, found, seen)
}

function isEndpoint(value: object): value is Endpoint {
  const { method, path, params, query, body, answer } = value as Partial<Endpoint>
  const schemas = [params, query, body, answer]
  return typeof method === 'string' && typeof path === 'string' && schemas.every(schema => schema instanceof z.ZodType)
}

export function routeOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`
}
