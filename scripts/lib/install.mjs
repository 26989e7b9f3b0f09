import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { Failure, inProject } from './project.mjs'
import { step } from './run.mjs'

/**
 * @typedef {object} LockedPackage what package-lock.json says of a package
 * @property {string} version
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [dev] needed to build and test alone
 * @property {boolean} [devOptional] needed to build and test, and optional for running
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 */

/** npm writes this list of what it has installed as the last act of an install. */
const record = inProject('node_modules', '.package-lock.json')

/**
 * Installs what package-lock.json asks for and is missing.
 *
 * @param {{ withDev?: boolean }} [options] `withDev: false` leaves out what only building and testing need
 */
export async function ensureInstalled({ withDev = true } = {}) {
  if (missing(withDev).length === 0) return
  await withLock(async () => {
    if (missing(withDev).length === 0) return
    console.error('Installing dependencies. The first time this takes a minute or two.')
    // From nothing: an install that was killed leaves packages with half their files, which npm would take for whole.
    // The record goes first, lest it outlive what it lists.
    await rm(record, { force: true })
    await rm(inProject('node_modules'), { recursive: true, force: true })
    // Not `npm ci`: it refuses a lock file that lacks the native half of a package for some other platform, and that
    // happens wherever a registry did not carry it on the day the lock file was written.
    await npm(
      'install',
      '--no-save',
      withDev ? '--include=dev' : '--omit=dev',
      '--include=optional',
      '--loglevel=error',
    )
    // npm shrugs off an optional package that fails to download, and programs then fail without their native half.
    if (missing(withDev).length > 0) throw new Failure(`npm left out ${missing(withDev).join(', ')}. Please try again.`)
    await removeHeaders()
  })
}

/** The Node that comes with the dependencies brings 67 MB of C headers, which only compiling native modules needs. */
async function removeHeaders() {
  const folder = inProject('node_modules', 'node', 'node_modules')
  const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : []
  for (const { name } of entries.filter(entry => entry.isDirectory())) {
    await rm(join(folder, name, 'include'), { recursive: true, force: true })
  }
}

/** @param {boolean} withDev */
function missing(withDev) {
  const wanted = readPackages(inProject('package-lock.json'))
  return missingPackages(wanted, existsSync(record) ? readPackages(record) : {}, { withDev })
}

/**
 * The folders of packages that the lock file asks for on this machine and that are not there in that version.
 *
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} installed
 * @param {{ withDev?: boolean }} [options]
 */
export function missingPackages(wanted, installed, { withDev = true } = {}) {
  return Object.entries(wanted)
    .filter(([folder, locked]) => {
      const found = installed[folder]
      if (found) return found.version !== locked.version || found.integrity !== locked.integrity
      return folder !== '' && (withDev || !locked.dev) && isForThisMachine(locked, withDev)
    })
    .map(([folder]) => folder)
}

/**
 * @param {LockedPackage} locked
 * @param {boolean} withDev
 */
function isForThisMachine({ optional, devOptional, os, cpu, libc }, withDev) {
  if (!optional && (withDev || !devOptional)) return true
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
  // Not our own Node: npm finds that in node_modules, which has just been removed.
  const node = process.env.npm_node_execpath ?? process.execPath
  if (started?.endsWith('.js')) await step(failure, node, [started, ...args], { endsWithUs: true })
  else await step(failure, 'npm', args)
}
