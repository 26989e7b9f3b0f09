import type { Feature } from '../feature.ts'
import type { Queue } from '../jobs/queue.ts'
import { type AlertDeps, handleAlerts } from './alerts.ts'
import type { ComposeDeps } from './compose.ts'
import { handleDigests } from './digest.ts'
import { endDigest } from './recipients.sql.ts'
import { type MailRouteDeps, mailRoutes } from './routes.ts'
import { handleSending } from './send.ts'
import { createDelivery } from './transport.ts'
import { createUnsubscribeUrl } from './unsubscribe.ts'

type Deps = MailRouteDeps & AlertDeps & Omit<ComposeDeps, 'unsubscribeUrl'>

/** Mails: digests for those who want them, invitations, and what admins should know. Off without SMTP_URL. */
export const mailFeature = {
  routes: mailRoutes,
  jobs: handleMailJobs,
  // Pictures must not leave the house again by itself when somebody gets access back.
  accessEnded: (_deps, tx, { personId, status }) =>
    status === 'approved' ? Promise.resolve() : endDigest(tx, personId),
} satisfies Feature<Deps>

function handleMailJobs(queue: Queue, deps: Deps): void {
  const { mail } = deps.config
  if (!mail) return
  handleSending(queue, { ...deps, unsubscribeUrl: createUnsubscribeUrl(deps) }, createDelivery(mail))
  handleDigests(queue, deps)
  handleAlerts(queue, deps)
}
