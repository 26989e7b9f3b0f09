import { isMainThread } from 'node:worker_threads'

// Loaded into the server before its own code. Were the script that started it killed outright, nobody would be left to
// pass a signal on, and the server would hold the port and the data folder for ever.
if (isMainThread && process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
