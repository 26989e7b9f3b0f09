/**
 * Loads what `main.ts` does not load by itself, without starting a server, so that Node's compile cache has everything:
 * see scripts/lib/compile-cache.mjs.
 */
import { tmpdir } from 'node:os'
import { connect } from './db/database.ts'
import { withTemporaryFolder } from './kit/safe-path.ts'
// Only some configurations load these.
import './auth/demo/provider.ts'
import './metrics/report.ts'
import './storage/s3/s3-storage.ts'

// The migrations, and the threads of a database.
await withTemporaryFolder(tmpdir(), 'heirloom-compile-', async dataFolder => {
  const db = await connect({ url: undefined, dataFolder })
  await db.check()
  await db.close()
})
