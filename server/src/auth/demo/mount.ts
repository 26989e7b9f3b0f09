import type { FastifyInstance } from 'fastify'
import type { HandleRequest } from './provider.ts'

/** Puts the provider's own request handler under a path of the product's server. */
export async function mountProvider(app: FastifyInstance, path: string, handle: HandleRequest): Promise<void> {
  await app.register(async scope => {
    // The provider reads its bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all(`${path}/*`, async (request, reply) => {
      reply.hijack()
      await handle(request.raw, reply.raw)
    })
  })
}
