import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { withLock } from './lock.mjs'
import { Failure, inProject } from './project.mjs'
import { step } from './run.mjs'

/**
 * @typedef {object} LockedPackage what package-lock.json says of a package
 * @property {string} version
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 */

/** npm writes this list of what it has installed as the last act of an install. */
const record = inProject('node_modules', '.package-lock.json')

export async function ensureInstalled() {
  if (missing().length === 0) return
  await withLock(async () => {
    if (missing().length === 0) return
    console.error('Installing dependencies. The first time this takes a minute or two.')
    // From nothing: an install that was killed leaves packages with half their files, which npm would take for whole.
    // The record goes first, lest it outlive what it lists.
    await rm(record, { force: true })
    await rm(inProject('node_modules'), { recursive: true, force: true })
    // Not `npm ci`: it refuses a lock file that lacks the native half of a package for some other platform, and that
    // happens wherever a registry did not carry it on the day the lock file was written.
    await npm('install', '--no-save', '--include=dev', '--include=optional', '--loglevel=error')
    // npm shrugs off an optional package that fails to download, and programs then fail without their native half.
    if (missing().length > 0) throw new Failure(`npm left out ${missing().join(', ')}. Please try again.`)
  })
}

function missing() {
  return missingPackages(readPackages(inProject('package-lock.json')), existsSync(record) ? readPackages(record) : {})
}

/**
 * The folders of packages that the lock file asks for on this machine and that are not there in that version.
 *
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} installed
 */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted)
    .filter(([folder, locked]) => {
      const found = installed[folder]
      if (found) return found.version !== locked.version || found.integrity !== locked.integrity
      return folder !== '' && isForThisMachine(locked)
    })
    .map(([folder]) => folder)
}

/** @param {LockedPackage} locked */
function isForThisMachine({ optional, os, cpu, libc }) {
  if (!optional) return true
  // Without a platform, npm's reasons for leaving an optional package out are not ours to guess.
  if (!os || !cpu) return false
  return os.includes(process.platform) && cpu.includes(process.arch) && (!libc || libc.includes(machineLibc()))
}

/** @type {string | undefined} */
let knownLibc

function machineLibc() {
  if (!knownLibc) {
    const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
    knownLibc = report.header.glibcVersionRuntime ? 'glibc' : 'musl'
  }
  return knownLibc
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch (error) {
    // An install that was killed while writing leaves half a list, which is as good as none.
    if (file === record && error instanceof SyntaxError) return {}
    throw error
  }
}

/** @param {string[]} args */
async function npm(...args) {
  const failure = 'The dependencies could not be installed: see what npm said above.'
  // The npm that started us, run without a shell: `npm` alone is a batch file on Windows.
  const started = process.env.npm_execpath
  if (started?.endsWith('.js')) await step(failure, process.execPath, [started, ...args], { endsWithUs: true })
  else await step(failure, 'npm', args)
}
