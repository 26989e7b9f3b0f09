import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'

const folder = fileURLToPath(new URL('../../../contract/src', import.meta.url))

/** Every endpoint that any file of the contract exports: nobody has to register one for it to be attacked. */
export async function contractEndpoints(): Promise<Endpoint[]> {
  const files = readdirSync(folder).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const modules = await Promise.all(
    files.map(name => import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href) as Promise<object>),
  )
  return [...new Set(modules.flatMap(module => Object.values(module).filter(isEndpoint)))]
}

function isEndpoint(value: unknown): value is Endpoint {
  if (typeof value !== 'object' || value === null) return false
  const { method, path, params, query, body, answer } = value as Partial<Endpoint>
  const schemas = [params, query, body, answer]
  return typeof method === 'string' && typeof path === 'string' && schemas.every(schema => schema instanceof z.ZodType)
}

export function routeOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`
}
