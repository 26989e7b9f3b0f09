import * as oidc from 'openid-client'
import { asName, isVisible } from '#contract/common.ts'
import { comparableEmail } from '../people/public.ts'

/** State between the redirect to the provider and its callback. */
export interface Secrets {
  state: string
  nonce: string
  codeVerifier: string
}

export interface ProviderAccount {
  subject: string
  email: string
  emailVerified: boolean
  name: string
  pictureUrl: string | null
}

export interface Provider {
  /** The issuer that accounts are stored under. */
  readonly accountIssuer: string
  /** The URL to redirect the browser to. `again`: without the account chooser, if the provider still knows the person. */
  begin(options: { again: boolean }): Promise<{ url: URL; secrets: Secrets }>
  /** The account for this callback URL; throws if the provider refuses or a check fails. */
  finish(returned: URL, secrets: Secrets): Promise<ProviderAccount>
}

export interface ProviderOptions {
  issuer: URL
  clientId: string
  clientSecret: string
  redirectUri: URL
  accountIssuer?: string
  /** Whether `email_verified` may be the text "true", which the standard does not allow. */
  verifiedAsText?: boolean
  /** Makes the provider show its account chooser: several people may share a tablet. */
  prompt?: string
}

const TIMEOUT_SECONDS = 10

/** OpenID Connect: authorization code with PKCE, state and nonce. */
export function createProvider(options: ProviderOptions): Provider {
  let discovered: Promise<oidc.Configuration> | undefined

  /** Discovered at the first sign-in and cached; a failed discovery is retried at the next sign-in. */
  function configuration(): Promise<oidc.Configuration> {
    discovered ??= discover(options).catch(error => {
      discovered = undefined
      throw error
    })
    return discovered
  }

  return {
    accountIssuer: options.accountIssuer ?? options.issuer.href,

    async begin({ again }) {
      const config = await configuration()
      const secrets: Secrets = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: options.redirectUri.href,
        scope: 'openid email profile',
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        ...(options.prompt && !again ? { prompt: options.prompt } : {}),
      })
      return { url, secrets }
    },

    async finish(returned, secrets) {
      const config = await configuration()
      const tokens = await oidc.authorizationCodeGrant(config, returned, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.codeVerifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('The provider sent no identity')
      // Some providers return the e-mail only from the userinfo endpoint.
      const profile =
        claims.email === undefined ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : claims
      return accountFrom(claims.sub, profile, options)
    },
  }
}

async function discover(options: ProviderOptions): Promise<oidc.Configuration> {
  // The configuration allows a plain http issuer only on loopback.
  const insecure = options.issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
  return oidc.discovery(options.issuer, options.clientId, options.clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    // openid-client would trust the TLS connection and skip the signature check of the token.
    execute: [oidc.enableNonRepudiationChecks, ...insecure],
  })
}

function accountFrom(
  subject: string,
  profile: Record<string, unknown>,
  { verifiedAsText = false }: Pick<ProviderOptions, 'verifiedAsText'>,
): ProviderAccount {
  const email = comparableEmail(text(profile.email) ?? '')
  const isVerified = profile.email_verified === true || (verifiedAsText && profile.email_verified === 'true')
  return {
    subject,
    email,
    emailVerified: email !== '' && isVerified,
    name: (nameFrom(profile.name) ?? nameFrom(profile.given_name) ?? email.split('@')[0] ?? '').slice(0, 100),
    pictureUrl: text(profile.picture)?.slice(0, 2_000) ?? null,
  }
}

function nameFrom(value: unknown): string | undefined {
  const name = asName(text(value) ?? '')
  return isVisible(name) ? name : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
