import { lockFolder } from '#server/db/sqlite/folder-lock.ts'

/** Locks a data folder until it is killed. */
const letGo = lockFolder(process.argv[2] ?? '')
process.stdout.write('held\n')
// Keeps a reference to the lock: otherwise it would be garbage collected and released.
setInterval(() => process.exitCode === undefined || letGo(), 60_000)
