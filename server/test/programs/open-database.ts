import { connect } from '#server/db/database.ts'

/** Opens the database of a data folder, which brings its schema up to date, and says so. */
const [dataFolder = ''] = process.argv.slice(2)
const db = await connect({ url: undefined, dataFolder })
process.stdout.write('open\n')
await db.close()
