import cookies from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AppSettings, appSettings, logOut, providerReturnPath, signInPath, whoAmI } from '#contract/auth.ts'
import { rateLimits, signInAttempt } from '#contract/limits.ts'
import { livePositionHeader } from '#contract/live.ts'
import { AppError } from '../kit/errors.ts'
import { serve, serveAnyone } from '../kit/serve.ts'
import { type AvatarUrl, asUser, personById } from '../people/public.ts'
import { endSession } from './sessions.ts'
import { beginSignIn, finishSignIn, type SignInDeps } from './sign-in.ts'
import { newToken } from './tokens.ts'

export interface AuthDeps extends SignInDeps {
  publicUrl: URL
  settings: AppSettings
  avatarUrl: AvatarUrl
  /** How far the live stream has got, where that is known. */
  livePosition: () => string | undefined
}

const BROWSER_COOKIE = 'heirloom_sign_in'

export async function authRoutes(app: FastifyInstance, deps: AuthDeps): Promise<void> {
  await app.register(cookies)

  serveAnyone(app, appSettings, async () => deps.settings)

  serve(app, whoAmI, async ({ caller, reply }) => {
    const position = deps.livePosition()
    if (position !== undefined) reply.header(livePositionHeader, position)
    const person = await personById(deps.db.read, caller.id)
    if (!person) throw new AppError('not_signed_in', 'Please sign in.')
    return asUser(person, deps.avatarUrl)
  })

  serve(app, logOut, ({ caller }) => endSession(deps, caller))

  app.get(signInPath, async (request, reply) => {
    await deps.limiter.count(`sign-in:address:${request.ip}`, rateLimits.signIn)
    // Kept where it is, so that two tabs can be signing in at once.
    const browserToken = request.cookies[BROWSER_COOKIE] || newToken()
    reply.setCookie(BROWSER_COOKIE, browserToken, {
      path: '/auth/google',
      httpOnly: true,
      sameSite: 'lax',
      secure: deps.publicUrl.protocol === 'https:',
      maxAge: signInAttempt.lasts / 1000,
    })
    return redirect(reply, await beginSignIn(deps, browserToken))
  })

  app.get(providerReturnPath, async (request: FastifyRequest, reply) => {
    await deps.limiter.count(`sign-in-return:address:${request.ip}`, rateLimits.signIn)
    const returned = new URL(request.url, deps.publicUrl)
    return redirect(reply, await finishSignIn(deps, returned, request.cookies[BROWSER_COOKIE]))
  })
}

function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(to, 302)
}
