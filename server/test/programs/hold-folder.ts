import { lockFolder } from '#server/db/sqlite/folder-lock.ts'

/** Holds a data folder until it is killed. */
lockFolder(process.argv[2] ?? '')
process.stdout.write('held\n')
setInterval(() => {}, 60_000)
