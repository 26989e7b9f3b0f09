import webPush from 'web-push'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { installationSetting } from '../db/secrets.ts'

/** The keys by which push services recognise this server. Browsers subscribe with the public one, so they must never change. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

const Stored = z.object({ publicKey: z.string(), privateKey: z.string() })

/** Generated at the first start and shared by all servers of the installation. */
export async function vapidKeys(db: Database): Promise<VapidKeys> {
  const stored = await installationSetting(db, 'push-vapid', () => JSON.stringify(webPush.generateVAPIDKeys()))
  return Stored.parse(JSON.parse(stored))
}

/** Whom a push service may ask about what we send. Only https addresses are allowed as such. */
export function vapidSubject(publicUrl: URL): string {
  return publicUrl.protocol === 'https:' ? publicUrl.origin : 'mailto:nobody@example.com'
}
