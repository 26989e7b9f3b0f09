import { connect } from '#server/db/database.ts'

/** Commits one setting after another and prints each only after its commit succeeded. */
const [dataFolder = '', round = ''] = process.argv.slice(2)
const db = await connect({ url: undefined, dataFolder })
for (let number = 0; ; number++) {
  const name = `${round}-${number}`
  await db.transaction(async tx => {
    await tx
      .insertInto('settings')
      .values({ name, value: 'x'.repeat(500) })
      .execute()
  })
  process.stdout.write(`${name}\n`)
}
