import type { FastifyInstance } from 'fastify'
import { createAppPassword, endAppPassword, listAppPasswords } from '#contract/app-passwords.ts'
import { rateLimits } from '#contract/limits.ts'
import { endAllSessions, endOwnSession, listSessions } from '#contract/sessions.ts'
import { changeMySettings, mySettings, removeMyPicture, setMyPicture } from '#contract/settings.ts'
import type { Queue } from '../jobs/queue.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import { serve, sessionSignal } from '../kit/serve.ts'
import { changeSettings, readSettings } from '../people/public.ts'
import { endOwnAppPassword, listOwnAppPasswords, makeAppPassword } from './app-passwords.ts'
import { type AvatarDeps, removeOwnPicture, storeOwnPicture } from './avatars.ts'
import { endAllOwnSessions, endOneOwnSession, ownSessions } from './sessions.ts'

export interface OwnDeps extends AvatarDeps {
  queue: Queue
  limiter: RateLimiter
}

/** What concerns only the caller: where they are signed in, their app passwords, and their settings. */
export function ownRoutes(app: FastifyInstance, deps: OwnDeps): void {
  serve(app, listSessions, ({ caller }) => ownSessions(deps, caller))
  serve(app, endOwnSession, ({ caller, params }) => endOneOwnSession(deps, caller, params.session))
  serve(app, endAllSessions, ({ caller }) => endAllOwnSessions(deps, caller))

  serve(app, listAppPasswords, ({ caller }) => listOwnAppPasswords(deps, caller))
  serve(app, createAppPassword, async ({ caller, body }) => {
    await deps.limiter.hit(`app-passwords:account:${caller.id}`, rateLimits.appPasswords)
    return makeAppPassword(deps, caller, body)
  })
  serve(app, endAppPassword, ({ caller, params }) => endOwnAppPassword(deps, caller, params.id))

  serve(app, mySettings, ({ caller }) => readSettings(deps.db.query, caller.id))
  serve(app, changeMySettings, ({ caller, body }) => changeSettings(deps, caller.id, body))
  serve(app, setMyPicture, async ({ caller, body, request }) => {
    await deps.limiter.hit(`picture:account:${caller.id}`, rateLimits.pictures)
    await storeOwnPicture(deps, caller.id, Buffer.from(body.image, 'base64'), sessionSignal(request))
  })
  serve(app, removeMyPicture, ({ caller }) => removeOwnPicture(deps, caller.id))
}
