import type { FastifyInstance } from 'fastify'
import { providerReturnPath } from '#contract/auth.ts'
import { lazyHandler, mount } from '../kit/mount.ts'
import { demoIssuer, type ListedEmails } from '../people/public.ts'
import { demoKeys } from './demo/keys.ts'
import { demoAdmins, demoClientId, demoFamily, demoMembers } from './demo/people.ts'
import { createProvider, type Provider } from './provider.ts'

export interface SignInProvider {
  provider: Provider
  lists: ListedEmails
  isDemo: boolean
  /** Registers the demo provider's pages, if it is used. */
  mount(app: FastifyInstance): Promise<void>
}

export interface SignInSettings {
  publicUrl: URL
  dataFolder: string
  title: string
  oidc: { issuer: URL; clientId: string; clientSecret: string; verifiedAsText: boolean } | undefined
  adminEmails: string[]
  approvedEmails: string[]
}

const DEMO_PATH = '/demo'

/** The configured identity provider, or the demo provider if none is configured. */
export function signInProvider(settings: SignInSettings): SignInProvider {
  const redirectUri = new URL(providerReturnPath, settings.publicUrl)
  if (!settings.oidc) return demo(settings, redirectUri)
  return {
    provider: createProvider({
      ...settings.oidc,
      redirectUri,
      ...(isGoogle(settings.oidc.issuer) ? { prompt: 'select_account' } : {}),
    }),
    lists: { admins: settings.adminEmails, members: settings.approvedEmails },
    isDemo: false,
    mount: async () => {},
  }
}

function demo({ publicUrl, dataFolder, title, ...settings }: SignInSettings, redirectUri: URL): SignInProvider {
  const keys = demoKeys(dataFolder)
  const issuer = new URL(DEMO_PATH, publicUrl)
  return {
    provider: createProvider({
      issuer,
      clientId: demoClientId,
      clientSecret: keys.clientSecret,
      redirectUri,
      // The issuer URL contains the port; with another port the demo accounts must stay the same.
      accountIssuer: demoIssuer,
      prompt: 'login',
    }),
    lists: {
      admins: [...settings.adminEmails, ...demoAdmins],
      members: [...settings.approvedEmails, ...demoMembers],
    },
    isDemo: true,
    mount: app =>
      mount(app, {
        path: DEMO_PATH,
        config: { cost: 3 },
        handle: lazyHandler(async () => {
          const { demoProvider } = await import('./demo/provider.ts')
          return demoProvider({ issuer, redirectUri, people: demoFamily, keys, title })
        }),
      }),
  }
}

function isGoogle(issuer: URL): boolean {
  return issuer.hostname === 'accounts.google.com'
}
