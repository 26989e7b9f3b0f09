import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import Provider, { type Configuration, errors, type JWK } from 'oidc-provider'
import { setLru } from '../../kit/lru.ts'
import { localeOf, textsIn } from '../../kit/messages.ts'
import type { RawHandler } from '../../kit/mount.ts'
import type { DemoKeys } from './keys.ts'
import { choosePage } from './page.ts'
import { type DemoPerson, demoClientId } from './people.ts'

export interface DemoProviderOptions {
  /** Its path, if any, is where `handle` is mounted. */
  issuer: URL
  redirectUri: URL
  people: DemoPerson[]
  keys: DemoKeys
  title: string
}

/** A real OpenID provider whose sign-in page lets anyone choose a person, without a password. For demos. */
export function demoProvider(options: DemoProviderOptions): RawHandler {
  const provider = new Provider(options.issuer.href.replace(/\/$/, ''), configuration(options))
  const answer = provider.callback()
  const mountPath = options.issuer.pathname.replace(/\/$/, '')

  return async (request, response) => {
    const url = request.url ?? '/'
    const local = url.slice(mountPath.length) || '/'
    // oidc-provider derives its URLs from the difference between the two.
    Object.assign(request, { originalUrl: url, url: local })
    const interaction = /^\/choose\/[\w-]+$/.test(local.split('?')[0] ?? '')
    if (!interaction) return answer(request, response)
    try {
      if (request.method === 'POST') await finishChoice(provider, options.people, request, response)
      else await showChoice(provider, options, request, response)
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error
      // The form was already used or has expired: redirect to the library instead.
      response.writeHead(303, { location: new URL('/', options.redirectUri).href }).end()
    }
  }
}

function configuration({ people, keys, redirectUri, issuer }: DemoProviderOptions): Configuration {
  const path = issuer.pathname.replace(/\/$/, '')
  return {
    adapter: demoMemory(),
    clients: [
      {
        client_id: demoClientId,
        client_secret: keys.clientSecret,
        redirect_uris: [redirectUri.href],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [keys.signingKey as unknown as JWK] },
    cookies: { keys: [keys.cookieKey], short: { path: path || '/' }, long: { path: path || '/' } },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `${path}/choose/${interaction.uid}` },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // Google puts the profile into the ID token; so does this.
    conformIdTokenClaims: false,
    ttl: { Interaction: 3600, Session: 3600, Grant: 3600, AccessToken: 3600, IdToken: 3600 },
    findAccount: (_ctx, subject) => {
      const person = people.find(known => known.subject === subject)
      if (!person) return undefined
      const { name, email, emailVerified, picture } = person
      const claims = { sub: subject, name, email, email_verified: emailVerified, ...(picture ? { picture } : {}) }
      return { accountId: subject, claims: async () => claims }
    },
    // The only client is the library itself, so no consent page is needed.
    loadExistingGrant: async ctx => {
      const { provider, session, client } = ctx.oidc
      if (!session?.accountId || !client) return undefined
      // A second tab must not invalidate the grant of the first tab's code.
      const known = session.grantIdFor(client.clientId)
      const existing = known && (await provider.Grant.find(known))
      if (existing) return existing
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

async function showChoice(
  provider: Provider,
  { people, title }: DemoProviderOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response)
  const page = choosePage({ title, people, uid, locale: localeOf(request) })
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; font-src data:; form-action 'self'; frame-ancestors 'none'",
  })
  response.end(page)
}

async function finishChoice(
  provider: Provider,
  people: DemoPerson[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const form = await formOf(request)
  if (form === undefined) {
    const { demo } = textsIn('server-pages', localeOf(request))
    return void response.writeHead(413, { 'content-type': 'text/plain; charset=utf-8' }).end(demo.tooLarge)
  }
  const chosen = new URLSearchParams(form).get('person')
  const person = people.find(known => known.subject === chosen)
  const result = person
    ? { login: { accountId: person.subject, remember: false } }
    : { error: 'access_denied', error_description: 'Nobody was chosen' }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

const LONGEST_FORM = 10_000

/** Undefined if the body is too long. It is still read to the end, so that the browser receives the response. */
async function formOf(request: IncomingMessage): Promise<string | undefined> {
  let form = ''
  for await (const chunk of request) if (form.length <= LONGEST_FORM) form += String(chunk)
  return form.length > LONGEST_FORM ? undefined : form
}

/** Bounds the memory, because anyone may begin a sign-in; one sign-in takes about a dozen entries. */
const MOST_ENTRIES = 5_000

interface Entry {
  payload: AdapterPayload
  expiresAt: number
}

/** The demo provider's state between two requests, in memory: after a restart people only have to choose again. */
export function demoMemory(): (kind: string) => Adapter {
  const entries = new Map<string, Entry>()

  function sweep(): void {
    const now = Date.now()
    for (const [key, entry] of entries) if (entry.expiresAt < now) entries.delete(key)
  }

  function find(test: (key: string, payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    sweep()
    for (const [key, { payload }] of entries) if (test(key, payload)) return payload
    return undefined
  }

  return kind => ({
    async upsert(id, payload, expiresIn) {
      setLru(entries, MOST_ENTRIES, `${kind}:${id}`, {
        payload,
        expiresAt: Date.now() + (expiresIn ?? 3600) * 1000,
      })
    },
    find: async id => find(key => key === `${kind}:${id}`),
    findByUid: async uid => find((key, payload) => key.startsWith(`${kind}:`) && payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const entry = entries.get(`${kind}:${id}`)
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      entries.delete(`${kind}:${id}`)
    },
    async revokeByGrantId(grantId) {
      // Called for each kind that belongs to the grant. Only that kind is deleted: an interaction also refers to its
      // grant, but must continue.
      for (const [key, { payload }] of entries) {
        if (key.startsWith(`${kind}:`) && payload.grantId === grantId) entries.delete(key)
      }
    },
  })
}
