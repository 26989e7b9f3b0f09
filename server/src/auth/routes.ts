import cookies from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type AppSettings,
  accessRequestStatus,
  appSettings,
  confirmSignIn,
  logOut,
  providerReturnPath,
  signInPath,
  whoAmI,
} from '#contract/auth.ts'
import { acceptInvitation } from '#contract/invitations.ts'
import { accessRequest, invitations, rateLimits, signInAttempt } from '#contract/limits.ts'
import { livePositionHeader } from '#contract/live.ts'
import { installationSecret } from '../db/secrets.ts'
import { AppError } from '../kit/errors.ts'
import { addressGroup } from '../kit/ip-addresses.ts'
import { localeOf } from '../kit/messages.ts'
import { TooManyRequests } from '../kit/rate-limiter.ts'
import { bearerToken, serve, serveAnyone } from '../kit/serve.ts'
import { isToken, newToken } from '../kit/tokens.ts'
import { type AvatarUrl, openInvitation, signedInUser } from '../people/public.ts'
import { issueTicket, readStatus } from './access-request.ts'
import { deviceName } from './device-name.ts'
import { confirmIssued, endSession } from './sessions.ts'
import { beginSignIn, finishSignIn, type Landing, refused, type SignInDeps } from './sign-in.ts'

export interface AuthDeps extends SignInDeps {
  publicUrl: URL
  settings: AppSettings
  avatarUrl: AvatarUrl
  /** The current position of the live stream, if known. */
  livePosition: () => string | undefined
}

export async function authRoutes(app: FastifyInstance, deps: AuthDeps): Promise<void> {
  await app.register(cookies)
  const cookie = browserCookie(deps.publicUrl)
  const ticketCookie = accessRequestCookie(deps.publicUrl)
  const invitationCookie = acceptedInvitationCookie(deps.publicUrl)
  const secret = await installationSecret(deps.db, 'access-request')

  serveAnyone(app, appSettings, async () => deps.settings)

  serve(app, whoAmI, async ({ caller, reply }) => {
    const position = deps.livePosition()
    if (position !== undefined) reply.header(livePositionHeader, position)
    return signedInUser(deps.db.query, caller.id, deps.avatarUrl)
  })

  serve(app, logOut, ({ caller }) => endSession(deps, caller))

  app.get(signInPath, { config: { cost: 3 } }, async (request, reply) => {
    if (await isPastLimit(deps, request, `sign-in:address:${addressGroup(request.ip)}`)) return redirect(reply, tooMany)
    // An existing cookie is reused, so that two tabs can sign in at the same time.
    const given = request.cookies[cookie.name]
    const browserToken = given && isToken(given) ? given : newToken()
    reply.setCookie(cookie.name, browserToken, cookie.options)
    const again = new URL(request.url, deps.publicUrl).searchParams.has('again')
    const invitation = await openInvitation(deps, request.cookies[invitationCookie.name])
    const options = { again, invitationId: invitation?.id ?? null }
    return redirect(reply, await beginSignIn(deps, browserToken, options))
  })

  app.get(providerReturnPath, { config: { cost: 5 } }, async (request: FastifyRequest, reply) => {
    if (await isPastLimit(deps, request, `sign-in-return:address:${addressGroup(request.ip)}`))
      return redirect(reply, tooMany)
    const browser = { device: deviceName(request.headers['user-agent']), locale: localeOf(request) }
    const returned = new URL(request.url, deps.publicUrl)
    const landing: Landing = await finishSignIn(deps, returned, request.cookies[cookie.name], browser).catch(error => ({
      to: pageForTooMany(request, error),
    }))
    const { to, waiting, unusedInvitation } = landing
    // Kept after a failure and after the choice of a wrong account, so that the next attempt still uses it.
    if (waiting !== undefined && unusedInvitation !== true)
      reply.clearCookie(invitationCookie.name, invitationCookie.options)
    if (waiting === null) reply.clearCookie(ticketCookie.name, ticketCookie.options)
    else if (waiting !== undefined) {
      const ticket = issueTicket({ clock: deps.clock, secret }, waiting)
      reply.setCookie(ticketCookie.name, ticket, ticketCookie.options)
    }
    return redirect(reply, to)
  })

  serveAnyone(app, accessRequestStatus, async ({ request, reply }) => {
    await deps.limiter.hit(`access-request:address:${addressGroup(request.ip)}`, rateLimits.signIn)
    reply.header('cache-control', 'no-store')
    return readStatus({ ...deps, secret }, request.cookies[ticketCookie.name])
  })

  serveAnyone(app, acceptInvitation, async ({ request, reply }) => {
    await deps.limiter.hit(`invitation:address:${addressGroup(request.ip)}`, rateLimits.invitations)
    const token = bearerToken(request)
    const invitation = await openInvitation(deps, token)
    if (!token || !invitation) throw new AppError('not_found', 'auth.invitationOver')
    reply.setCookie(invitationCookie.name, token, invitationCookie.options)
    return invitation
  })

  serveAnyone(app, confirmSignIn, async ({ request }) => {
    await deps.limiter.hit(`sign-in-confirm:address:${addressGroup(request.ip)}`, rateLimits.signIn)
    await confirmIssued(deps, bearerToken(request), request.cookies[cookie.name])
  })
}

/** With https, the `__Host-` prefix makes browsers accept the cookie from this host only, not from a subdomain. */
function browserCookie({ protocol }: URL) {
  const secure = protocol === 'https:'
  const options = { httpOnly: true, sameSite: 'lax', maxAge: signInAttempt.ttl / 1000 } as const
  return {
    name: secure ? '__Host-heirloom_sign_in' : 'heirloom_sign_in',
    options: { ...options, secure, path: secure ? '/' : signInPath },
  }
}

/** The token of the invitation, from opening its link to the end of the sign-in: it appears in no URL. */
function acceptedInvitationCookie({ protocol }: URL) {
  const secure = protocol === 'https:'
  const options = { httpOnly: true, sameSite: 'lax', maxAge: invitations.remembered / 1000 } as const
  return {
    name: secure ? '__Host-heirloom_invitation' : 'heirloom_invitation',
    options: { ...options, secure, path: secure ? '/' : signInPath },
  }
}

/** Read by our own pages alone, so that no other site can make the browser send it. */
function accessRequestCookie({ protocol }: URL) {
  const secure = protocol === 'https:'
  const options = { httpOnly: true, sameSite: 'strict', maxAge: accessRequest.ttl / 1000 } as const
  return {
    name: secure ? '__Host-heirloom_request' : 'heirloom_request',
    options: { ...options, secure, path: secure ? '/' : accessRequestStatus.path },
  }
}

const tooMany = refused('too_many_attempts')

/** True if a page should show the error; an API client gets the error itself. */
async function isPastLimit({ limiter }: AuthDeps, request: FastifyRequest, key: string): Promise<boolean> {
  try {
    await limiter.hit(key, rateLimits.signIn)
    return false
  } catch (error) {
    pageForTooMany(request, error)
    return true
  }
}

function pageForTooMany(request: FastifyRequest, error: unknown): string {
  if (error instanceof TooManyRequests && isNavigation(request)) return tooMany
  throw error
}

/** A browser that navigates to a page, as opposed to an API client. */
function isNavigation({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').includes('text/html')
}

function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(to, 302)
}
