import type { FastifyInstance } from 'fastify'
import { rateLimits } from '#contract/limits.ts'
import { changeMyPush, endPush, myPush, renewPush, subscribeToPush } from '#contract/push.ts'
import { installationSecret } from '../db/secrets.ts'
import { KeyedMutex } from '../kit/keyed-mutex.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import { type Caller, serve, serveAnyone } from '../kit/serve.ts'
import { changePush, readPush, renew, type SubscriptionDeps, subscribe, unsubscribe } from './subscriptions.ts'
import { vapidKeys } from './vapid.ts'

export interface PushRouteDeps extends Omit<SubscriptionDeps, 'publicKey' | 'secret'> {
  limiter: RateLimiter
}

/** Every query is scoped to the caller; devices of other people are not found. */
export async function pushRoutes(app: FastifyInstance, options: PushRouteDeps): Promise<void> {
  const { db, limiter } = options
  const { publicKey } = await vapidKeys(db)
  const deps = { ...options, publicKey, secret: await installationSecret(db, 'push-renewal') }
  const renewals = new KeyedMutex<'all'>()
  const count = ({ id }: Caller) => limiter.hit(`push:account:${id}`, rateLimits.pushDevices)

  serve(app, myPush, ({ caller }) => readPush(deps, caller))
  serve(app, subscribeToPush, async ({ caller, body }) => {
    await count(caller)
    await subscribe(deps, caller, body)
    return readPush(deps, caller)
  })
  serve(app, changeMyPush, async ({ caller, body }) => {
    await count(caller)
    await changePush(deps, caller, body)
    return readPush(deps, caller)
  })
  serve(app, endPush, async ({ caller, params: { id } }) => {
    await unsubscribe(deps, caller, id)
    return readPush(deps, caller)
  })
  // One at a time, since they all wait for the same lock.
  serveAnyone(app, renewPush, ({ body }) => renewals.run('all', () => renew(deps, body)), { cost: 5 })
}
