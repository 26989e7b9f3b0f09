import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/** The session that a request depends on; of a guest, the link. */
export interface RequestSession {
  id: number
  sessionId: string
}

/** One session that ended, or all sessions of a person. */
export type EndedSession = { sessionId: string } | { personId: number }

interface OpenRequest extends RequestSession {
  end(): void
}

/** Time for the last response, such as that of the log-out itself, before the connection is closed. */
const GRACE_MS = 500

/**
 * The open requests of each session. Every request with a session is registered before its handler runs, so uploads,
 * downloads and streams end with the session without any code in their routes.
 */
export class OpenRequests {
  readonly #bySession = new Map<string, Set<OpenRequest>>()

  /** Aborts with an AppError when the session ends. The connection is closed soon after, if the handler did not end by then. */
  register(
    { id, sessionId }: RequestSession,
    request: FastifyRequest,
    reply: FastifyReply,
    refusal = () => new AppError('not_signed_in', 'auth.signIn'),
  ): AbortSignal {
    const controller = new AbortController()
    let closing: NodeJS.Timeout | undefined
    const open: OpenRequest = {
      id,
      sessionId,
      end() {
        if (controller.signal.aborted) return
        controller.abort(refusal())
        closing = setTimeout(() => {
          request.raw.destroy()
          reply.raw.destroy()
        }, GRACE_MS)
      },
    }
    const ofSession = this.#bySession.get(sessionId) ?? new Set()
    this.#bySession.set(sessionId, ofSession.add(open))
    reply.raw.once('close', () => {
      // A response in the middle of an upload does not stop the client; closing the connection does.
      if (request.raw.complete) clearTimeout(closing)
      ofSession.delete(open)
      if (ofSession.size === 0 && this.#bySession.get(sessionId) === ofSession) this.#bySession.delete(sessionId)
    })
    return controller.signal
  }

  end(ended: EndedSession): void {
    const ending =
      'sessionId' in ended ? [...(this.#bySession.get(ended.sessionId) ?? [])] : this.#ofPerson(ended.personId)
    for (const open of ending) open.end()
  }

  sessionIds(): string[] {
    return [...this.#bySession.keys()]
  }

  #ofPerson(personId: number): OpenRequest[] {
    return [...this.#bySession.values()].flatMap(requests => [...requests].filter(({ id }) => id === personId))
  }
}
