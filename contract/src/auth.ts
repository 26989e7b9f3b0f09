import { z } from 'zod'
import { Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { User } from './people.ts'

export const whoAmI = endpoint({
  method: 'GET',
  path: '/auth/me',
  summary: 'The signed-in person',
  act: 'session.use',
  offline: true,
  answer: User,
})

export const logOut = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'End this session at once',
  act: 'session.use',
})

/** Settings that the page needs before sign-in. */
export const AppSettings = z.object({
  title: z.string(),
  contactName: z.string(),
  adminName: z.string(),
  uploadsUrl: z.string().nullable().describe('Where uploads are sent, when not to the address of the page'),
  transcoderCoreUrl: z.string().nullable().describe("Where the fallback transcoder's core is, when not here"),
  trashDays: z.number().describe('For how many days deleted files can be restored'),
  demo: z.boolean().describe('True when the demo identity provider is running'),
})
export type AppSettings = z.infer<typeof AppSettings>

export const appSettings = endpoint({
  method: 'GET',
  path: '/auth/settings',
  summary: 'The title of this library and whom to call about access',
  act: 'anyone',
  offline: true,
  answer: AppSettings,
})

/** Start of a sign-in, and the provider's redirect URI. The same for every issuer, not only Google. */
export const signInPath = '/auth/google'
/** For a person whom the provider has identified just now: it need not ask for the account again. */
export const signInAgainPath = `${signInPath}?again=true`
export const providerReturnPath = '/auth/google/callback'

/**
 * A link with somebody else's token must not sign a browser in as them. The page at `callbackPagePath` stores a token only
 * after this call, which compares it with the cookie that `signInPath` set.
 */
export const confirmSignIn = endpoint({
  method: 'POST',
  path: '/auth/google/confirm',
  summary: 'Confirm that the bearer token was issued to a sign-in started in this browser',
  act: 'anyone',
  // Has its own rate limit, so that an address that used up its writes can still finish signing in.
  uncounted: true,
})

/** The page that reads the token from its URL. */
export const callbackPagePath = '/auth/callback'

/** Why a sign-in failed: the values of `error` in the URL of /login. */
export const LoginError = z.enum(['pending_approval', 'auth_failed', 'too_many_attempts'])
export type LoginError = z.infer<typeof LoginError>

/** In the URL of /login, `unused` if the sign-in did not use the invitation: it may be for another e-mail address. */
export const unusedInvitationParam = 'invitation'

export const AccessRequestStatus = z.object({
  status: z.enum(['pending', 'approved', 'denied']),
  requested_at: Moment,
})
export type AccessRequestStatus = z.infer<typeof AccessRequestStatus>

export const accessRequestStatus = endpoint({
  method: 'GET',
  path: '/auth/request',
  summary: 'What became of the request for access made in this browser, by the cookie that the sign-in set',
  act: 'anyone',
  answer: AccessRequestStatus,
})
