import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type RawHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface Mounted {
  path: string
  handle: RawHandler
  config?: FastifyContextConfig
  /** Throws to refuse the request before the handler sees it. */
  authorize?(request: FastifyRequest, reply: FastifyReply): void | Promise<void>
}

/** Mounts a library's request handler under a path. The handler reads request bodies itself. */
export async function mount(app: FastifyInstance, { path, handle, config = {}, authorize }: Mounted): Promise<void> {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of [path, `${path}/*`]) {
      scope.all(url, { config }, async (request, reply) => {
        await authorize?.(request, reply)
        reply.hijack()
        // The handler knows nothing of sessions; to it this looks like a client that disconnected.
        request.sessionEnded?.addEventListener('abort', () => request.raw.destroy())
        await handle(request.raw, reply.raw).catch(error => {
          request.log.error({ err: error }, 'a mounted handler failed')
          // The reply was hijacked, so Fastify does not answer.
          if (!reply.raw.headersSent) reply.raw.writeHead(500)
          reply.raw.end()
        })
      })
    }
  })
}

/** Opens the handler at the first request, so that rarely used ones do not slow down the start. */
export function lazyHandler(open: () => Promise<RawHandler>): RawHandler {
  let opened: Promise<RawHandler> | undefined
  return async (request, response) => {
    opened ??= open()
    await (await opened)(request, response)
  }
}
