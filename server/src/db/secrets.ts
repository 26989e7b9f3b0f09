import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** A secret of the installation, generated at first use and shared by all its servers. */
export async function installationSecret(db: Database, name: string): Promise<Buffer> {
  return Buffer.from(await installationSetting(db, name, () => randomBytes(32).toString('base64')), 'base64')
}

/** The stored value of this name, which is generated if there is none yet. */
export async function installationSetting(db: Database, name: string, generate: () => string): Promise<string> {
  const stored = await db.query.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  if (stored) return stored.value
  const first = generate()
  return db.transaction(async tx => {
    await tx
      .insertInto('settings')
      .values({ name, value: first })
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute()
    const { value } = await tx.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow()
    return value
  })
}
