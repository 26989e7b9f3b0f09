import { connect } from '#server/db/database.ts'
import { addMigrations } from '../extra-migrations.ts'

/** Opens the database of a data folder, which runs all migrations and these additional ones, and reports it. */
const [dataFolder = '', ...migrations] = process.argv.slice(2)
addMigrations(...migrations)
const db = await connect({ url: undefined, dataFolder })
process.stdout.write('open\n')
await db.close()
