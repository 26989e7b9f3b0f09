import { isMainThread } from 'node:worker_threads'
import { graceMs, killGroup } from './run.mjs'

// Loaded into a program before its own code. Were the script that started it killed outright, nobody would be left to
// pass a signal on: a server would hold its port and data folder for ever, an install would write into the next one.
if (isMainThread && process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => killGroup(process.pid), graceMs).unref()
  })
  process.channel.unref()
}
