import type { FastifyInstance } from 'fastify'
import type { AppSettings } from '#contract/auth.ts'
import type { Feature } from '../feature.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Outbox } from '../mail/public.ts'
import { activateDemoAccounts, approvedAdminIds, setProviderPicture } from '../people/public.ts'
import { type AvatarDeps, enqueueAvatarFetch, handleAvatarJobs, removeAvatar } from './avatars.ts'
import { type SignInSettings, signInProvider } from './configured.ts'
import { ownRoutes } from './own-routes.ts'
import { type AuthDeps, authRoutes } from './routes.ts'
import { endSessions, handleSessionJobs } from './sessions.ts'

interface Config extends SignInSettings, Omit<AppSettings, 'demo' | 'uploadsUrl' | 'transcoderCoreUrl'> {
  uploadsUrl: URL | undefined
  transcoderCoreUrl: URL | undefined
}

interface Deps extends AvatarDeps, Omit<AuthDeps, 'provider' | 'lists' | 'settings' | 'identified'> {
  config: Config
  queue: Queue
  outbox: Pick<Outbox, 'recordLanguage' | 'accessRequested'>
}

/** Sign-in, sessions, and the own account. */
export const authFeature = {
  routes: signInAndOwnRoutes,
  jobs(queue, deps) {
    handleSessionJobs(queue, deps)
    handleAvatarJobs(queue, deps)
  },
  async accessEnded(deps, tx, { personId, status }) {
    await endSessions(deps, tx, personId, status)
    if (status === 'closed') await removeAvatar(deps, tx, personId)
  },
} satisfies Feature<Deps>

async function signInAndOwnRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { config, db, queue, outbox } = deps
  const { provider, lists, isDemo, mount } = signInProvider(config)
  if (isDemo) await db.transaction(activateDemoAccounts)
  await mount(app)
  await authRoutes(app, {
    ...deps,
    provider,
    lists,
    settings: settingsFor(config, isDemo),
    async identified(tx, person, account, { locale }) {
      await setProviderPicture(tx, person.id, account.pictureUrl)
      await enqueueAvatarFetch(queue, tx, person, account.pictureUrl)
      await outbox.recordLanguage(tx, person.id, locale)
      if (person.status === 'pending') await outbox.accessRequested(tx, person.id, await approvedAdminIds(tx))
    },
  })
  ownRoutes(app, deps)
}

function settingsFor(config: Config, demo: boolean): AppSettings {
  const { title, contactName, adminName, uploadsUrl, transcoderCoreUrl, trashDays } = config
  const elsewhere = { uploadsUrl: uploadsUrl?.origin ?? null, transcoderCoreUrl: transcoderCoreUrl?.href ?? null }
  return { title, contactName, adminName, ...elsewhere, trashDays, demo }
}
