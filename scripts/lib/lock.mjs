import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inProject } from './project.mjs'

const beatMs = 500
/** Longer than the shutdown grace period of child processes, with a margin for a busy machine. */
const staleAfterMs = 10_000

/**
 * Runs `work` under a lock between processes, so that two commands started in one checkout do not install or build
 * concurrently. The lock is a folder that its holder touches twice a second, so that of a killed run goes stale.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [folder]
 * @returns {Promise<T>}
 */
export async function withLock(work, folder = inProject('.cache', 'setup.lock')) {
  await take(folder)
  const heartbeat = setInterval(() => touch(folder), beatMs)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder */
async function take(folder) {
  mkdirSync(dirname(folder), { recursive: true })
  for (let announced = false; !created(folder); announced = true) {
    if (!announced) console.error('Another copy is preparing this checkout. Waiting for it.')
    if (isStale(folder)) rmSync(folder, { recursive: true, force: true })
    else await sleep(200)
  }
}

/** @param {string} folder */
function created(folder) {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (existsSync(folder)) return false
    throw error
  }
}

/** @param {string} folder */
function isStale(folder) {
  const entry = statSync(folder, { throwIfNoEntry: false })
  return entry !== undefined && Date.now() - entry.mtimeMs > staleAfterMs
}

/** @param {string} folder */
function touch(folder) {
  const now = new Date()
  if (existsSync(folder)) utimesSync(folder, now, now)
}
