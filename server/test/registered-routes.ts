import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { Library } from './library.ts'

/**
 * A library, and every route that Fastify registered at its start, as in `GET /api/folders/:id`. HEAD is omitted,
 * since every GET has it; a route for every method is listed as `ANY`.
 */
export async function registeredRoutes(
  start: () => Promise<Library>,
  add: (app: FastifyInstance) => void = () => {},
): Promise<{ library: Library; routes: string[] }> {
  const routes = new Set<string>()
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      const methods = [method].flat().filter(name => name !== 'HEAD')
      for (const name of methods.length > 5 ? ['ANY'] : methods) routes.add(`${name} ${url}`)
    })
    add(fastify)
  }
  subscribe('fastify.initialization', watch)
  try {
    const library = await start()
    return { library, routes: [...routes].filter(route => route !== 'ANY *') }
  } finally {
    unsubscribe('fastify.initialization', watch)
  }
}
