import { connect } from '#server/db/database.ts'
import { addLongMigrations } from '../extra-migrations.ts'

/** Upgrades a database and stops in the middle of a migration, at this moment, until it is killed. */
const [dataFolder = '', url = '', wanted = ''] = process.argv.slice(2)
addLongMigrations(async moment => {
  if (moment !== wanted) return
  process.stdout.write('stopped\n')
  await new Promise(resolve => setTimeout(resolve, 600_000))
})
await connect({ url: url || undefined, dataFolder })
process.stdout.write('open\n')
