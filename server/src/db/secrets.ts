import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** A secret of the installation, generated at first use and shared by all its servers. */
export async function installationSecret(db: Database, name: string): Promise<Buffer> {
  return db.transaction(async tx => {
    await tx
      .insertInto('settings')
      .values({ name, value: randomBytes(32).toString('base64') })
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute()
    const { value } = await tx.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow()
    return Buffer.from(value, 'base64')
  })
}
