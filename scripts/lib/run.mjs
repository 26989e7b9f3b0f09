import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Failure, inProject } from './project.mjs'

/** How long a program has to tidy up before it is killed; a start ends within five seconds. */
export const graceMs = 3_500

const ownGroup = process.platform !== 'win32'
const parent = process.ppid
const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href

/** The person ended the run. There is nothing to explain, only to end. */
class Stopped extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`stopped by ${signal}`)
    this.exitCode = exitCodeOf(signal)
  }
}

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] beside our own environment
 * @property {boolean} [endsWithUs] for a program of Node: it is to end as well should we be killed outright
 */

/**
 * Runs a program to its end and tells its exit code and whether we were asked to stop meanwhile.
 *
 * It gets a process group of its own: a terminal sends Ctrl-C to a whole group and npm passes the same one on again, so
 * only we take the signal, and hand the program exactly one. What it has not ended by itself after the grace is killed.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, stoppedBy: NodeJS.Signals | undefined }>}
 */
export function run(command, args, { env, endsWithUs = false } = {}) {
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
    let impatience

    /** @param {NodeJS.Signals} signal */
    const passOn = signal => {
      if (stoppedBy) return
      stoppedBy = signal
      // On Windows the console itself tells every program, and kill() would end it without a chance to tidy up.
      // A terminal that closes (SIGHUP) is no other wish than to end.
      if (ownGroup) child.kill(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM')
      impatience = setTimeout(() => killGroup(child.pid), graceMs)
    }
    const release = listen(passOn)

    child.once('error', error => {
      release()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(impatience)
      release()
      killGroup(child.pid)
      resolve({ code: code ?? exitCodeOf(signal), stoppedBy })
    })
  })
}

/**
 * Runs one of several programs and tells its exit code; being asked to stop ends them all.
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
 * @param {string} failure what to say when it fails
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export async function step(failure, command, args, options) {
  if ((await attempt(command, args, options)) !== 0) throw new Failure(failure)
}

/**
 * The frame of every script: its answer is the exit code.
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
  // npm passes a signal on to the shell between it and us, which dies of it without a word: we notice the new parent.
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
 * Ends a program that `run` started and whatever it started in turn.
 *
 * @param {number | undefined} pid
 */
export function killGroup(pid) {
  if (!pid) return
  try {
    process.kill(ownGroup ? -pid : pid, 'SIGKILL')
  } catch (error) {
    // macOS says EPERM of a group whose last members have ended but are not yet forgotten.
    const gone = error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')
    if (!gone) throw error
  }
}
