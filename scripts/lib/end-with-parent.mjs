import { isMainThread } from 'node:worker_threads'
import { graceMs, killGroup } from './run.mjs'

// Preloaded into child processes. If the parent script is killed (SIGKILL), nothing forwards a signal: an orphaned
// server would keep its port and data folder locked, and an orphaned install would write into the next one.
if (isMainThread && process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => killGroup(process.pid), graceMs).unref()
  })
  process.channel.unref()
}
