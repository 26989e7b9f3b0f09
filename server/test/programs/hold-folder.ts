import { lockFolder } from '#server/db/sqlite/folder-lock.ts'

/** Holds a data folder until it is killed. */
const letGo = lockFolder(process.argv[2] ?? '')
process.stdout.write('held\n')
// Nobody else refers to the lock: were it forgotten, it would be collected, and the folder free.
setInterval(() => process.exitCode === undefined || letGo(), 60_000)
