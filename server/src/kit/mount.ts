import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'

export type RawHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface Mounted {
  path: string
  handle: RawHandler
  config?: FastifyContextConfig
  /** Throws to refuse the request before the handler sees it. */
  authorize?(request: FastifyRequest): void
}

/** Puts a library's own request handler under a path of the product's server. It reads its bodies itself. */
export async function mount(app: FastifyInstance, { path, handle, config = {}, authorize }: Mounted): Promise<void> {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of [path, `${path}/*`]) {
      scope.all(url, { config }, async (request, reply) => {
        authorize?.(request)
        reply.hijack()
        // A library's handler knows no sessions; it treats this as a client that hung up.
        request.sessionEnded?.addEventListener('abort', () => request.raw.destroy())
        await handle(request.raw, reply.raw).catch(error => {
          request.log.error({ err: error }, 'a mounted handler failed')
          // Nobody else will answer any more.
          if (!reply.raw.headersSent) reply.raw.writeHead(500)
          reply.raw.end()
        })
      })
    }
  })
}

/** A handler that is opened by the first request for it: what few people use costs a start nothing. */
export function lazyHandler(open: () => Promise<RawHandler>): RawHandler {
  let opened: Promise<RawHandler> | undefined
  return async (request, response) => {
    opened ??= open()
    await (await opened)(request, response)
  }
}
