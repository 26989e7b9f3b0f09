import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, inProject } from './project.mjs'

/** Grace period before a program is killed; the complete shutdown takes less than five seconds. */
export const graceMs = 3_500

const ownGroup = process.platform !== 'win32'
const parent = process.ppid
const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href

/** The user stopped the run: exit without an error message. */
class Stopped extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`stopped by ${signal}`)
    this.exitCode = exitCodeOf(signal)
  }
}

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] in addition to our environment
 * @property {boolean} [endsWithUs] for Node programs: also end it if we are killed (SIGKILL)
 * @property {() => void} [onReady] for Node programs with `endsWithUs`: called when it sends `ready` to us
 */

/**
 * Runs a program to its end. Resolves to its exit code and the signal by which we were stopped, if any.
 *
 * It runs in its own process group: a terminal sends Ctrl-C to a whole group and npm forwards it again, so only we
 * receive the signal and forward it exactly once. Processes that are left after the grace period are killed.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, stoppedBy: NodeJS.Signals | undefined }>}
 */
export function run(command, args, { env, endsWithUs = false, onReady } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, endsWithUs ? ['--import', endWithParent, ...args] : args, {
      cwd: inProject(),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', ...(endsWithUs ? [/** @type {const} */ ('ipc')] : [])],
      detached: ownGroup,
    })
    /** @type {NodeJS.Signals | undefined} */
    let stoppedBy
    /** @type {NodeJS.Timeout | undefined} */
    let killTimer

    /** @param {NodeJS.Signals} signal */
    const passOn = signal => {
      if (stoppedBy) return
      stoppedBy = signal
      // On Windows the console notifies every process itself, and kill() would terminate without cleanup. SIGHUP (a
      // closed terminal) is handled as SIGTERM.
      if (ownGroup) child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM')
      killTimer = setTimeout(() => killGroup(child.pid), graceMs)
    }
    const release = listen(passOn)

    child.on('message', message => message === 'ready' && onReady?.())
    child.once('error', error => {
      release()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(killTimer)
      release()
      killGroup(child.pid)
      resolve({ code: code ?? exitCodeOf(signal), stoppedBy })
    })
  })
}

/** After a crash: at once for people, and rarely for one that crashes again and again. */
export const restartDelays = { firstMs: 1_000, maxMs: 60_000, resetAfterMs: 60_000 }

/**
 * Runs a Node program that should not end by itself, and starts it again when it does. One that ends with an error before it
 * has ever sent `ready` is not started again, because its configuration must be corrected first. Resolves to its last
 * exit code.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions & { delays?: typeof restartDelays }} [options]
 */
export async function supervise(command, args, { delays = restartDelays, ...options } = {}) {
  let delayMs = delays.firstMs
  let wasEverReady = false
  // One listener for the whole time: without one, a signal between a crash and the next start would kill us at once.
  const stop = new AbortController()
  const release = listen(() => stop.abort())
  try {
    for (;;) {
      /** @type {number | undefined} */
      let readySince
      const onReady = () => {
        readySince = performance.now()
        wasEverReady = true
      }
      const { code, stoppedBy } = await run(command, args, { ...options, endsWithUs: true, onReady })
      if (stoppedBy || code === 0 || !wasEverReady) return code
      if (readySince !== undefined && performance.now() - readySince > delays.resetAfterMs) delayMs = delays.firstMs
      const seconds = Math.ceil(delayMs / 1_000)
      console.error(`The server ended unexpectedly (exit code ${code}). It is started again in ${seconds} s.`)
      await sleep(delayMs, undefined, { signal: stop.signal }).catch(() => undefined)
      if (stop.signal.aborted) return 0
      delayMs = Math.min(2 * delayMs, delays.maxMs)
    }
  } finally {
    release()
  }
}

/**
 * Runs one of several programs and resolves to its exit code. Throws if we were stopped, so that none follows.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export async function attempt(command, args, options) {
  const { code, stoppedBy } = await run(command, args, options)
  if (stoppedBy) throw new Stopped(stoppedBy)
  return code
}

/**
 * Runs a program that everything after it needs.
 *
 * @param {string} failure the error message if it fails
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export async function step(failure, command, args, options) {
  if ((await attempt(command, args, options)) !== 0) throw new Failure(failure)
}

/**
 * Runs the body of a script and exits with the code that it returns; prints a `Failure` without a stack trace.
 *
 * @param {() => Promise<number>} body
 */
export async function main(body) {
  try {
    process.exitCode = await body()
  } catch (error) {
    if (error instanceof Stopped) process.exitCode = error.exitCode
    else {
      console.error(error instanceof Failure ? error.message : error)
      process.exitCode = 1
    }
  }
}

/** @param {(signal: NodeJS.Signals) => void} handler */
function listen(handler) {
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, handler)
  // npm forwards a signal to the shell between it and us, which dies without forwarding it: detect the new parent.
  const orphaned = () => process.env.npm_lifecycle_event && process.ppid !== parent
  const watch = setInterval(() => orphaned() && handler('SIGTERM'), 250)
  return () => {
    clearInterval(watch)
    for (const signal of signals) process.off(signal, handler)
  }
}

/** @param {NodeJS.Signals | null} signal */
function exitCodeOf(signal) {
  return signal ? 128 + constants.signals[signal] : 1
}

/**
 * Kills a program that `run` started and, except on Windows, its process group.
 *
 * @param {number | undefined} pid
 */
export function killGroup(pid) {
  if (!pid) return
  try {
    process.kill(ownGroup ? -pid : pid, 'SIGKILL')
  } catch (error) {
    // macOS returns EPERM for a process group that has only zombies left.
    const gone = error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')
    if (!gone) throw error
  }
}
