import type { Tx } from '../db/schema.ts'
import { type NotifyDeps, notify } from './notify.ts'

/** Admins hear that somebody asks to be let in. */
export async function notifyOfAccessRequest(
  deps: NotifyDeps,
  tx: Tx,
  { personId, adminIds }: { personId: number; adminIds: readonly number[] },
): Promise<void> {
  const by = new Map(adminIds.map(id => [id, 'other' as const]))
  await notify(deps, tx, { actorId: personId, about: { subject: 'access_request' }, by })
}

/** "You're in": to be called once the person is let in. */
export async function notifyOfWelcome(deps: NotifyDeps, tx: Tx, personId: number): Promise<void> {
  await notify(deps, tx, { actorId: null, about: { subject: 'welcome' }, by: new Map([[personId, 'other']]) })
}
