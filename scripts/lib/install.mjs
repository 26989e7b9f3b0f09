import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { Failure, inProject } from './project.mjs'
import { step } from './run.mjs'

/**
 * @typedef {object} LockedPackage an entry of package-lock.json
 * @property {string} version
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [dev] only needed to build and test
 * @property {boolean} [devOptional] needed to build and test, and optional for running
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 */

/** npm writes this list of installed packages at the end of an install. */
const record = inProject('node_modules', '.package-lock.json')

/**
 * Installs the packages of package-lock.json that are missing.
 *
 * @param {{ withDev?: boolean }} [options] `withDev: false` leaves out dependencies for building and testing
 */
export async function ensureInstalled({ withDev = true } = {}) {
  if (missing(withDev).length === 0) return
  await withLock(async () => {
    if (missing(withDev).length === 0) return
    console.error('Installing dependencies. The first time this takes a minute or two.')
    // Starts from scratch: a killed install leaves incomplete packages that npm would consider installed. The record
    // is removed first, so that it never lists packages that are gone.
    await rm(record, { force: true })
    await rm(inProject('node_modules'), { recursive: true, force: true })
    // Not `npm ci`: it rejects a lock file that lacks the native package of another platform, which happens if the
    // registry did not have it when the lock file was written.
    await npm(
      'install',
      '--no-save',
      withDev ? '--include=dev' : '--omit=dev',
      '--include=optional',
      '--loglevel=error',
    )
    // npm ignores optional packages that fail to download, and programs would then fail without their native module.
    if (missing(withDev).length > 0) throw new Failure(`npm left out ${missing(withDev).join(', ')}. Please try again.`)
    await removeHeaders()
  })
}

/** The `node` package includes 67 MB of C headers, which only compiling native modules needs. */
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
 * The folders of packages that the lock file requires on this machine and that are missing or of another version.
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
  // Without a platform we cannot tell why npm left out an optional package.
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
    // A killed install can leave a truncated list, which counts as none.
    if (file === record && error instanceof SyntaxError) return {}
    throw error
  }
}

/** @param {string[]} args */
async function npm(...args) {
  const failure = 'The dependencies could not be installed: see what npm said above.'
  // The npm that started us, run without a shell: plain `npm` is a batch file on Windows.
  const started = process.env.npm_execpath
  // Not the project's own Node: it is in node_modules, which has just been removed.
  const node = process.env.npm_node_execpath ?? process.execPath
  if (started?.endsWith('.js')) await step(failure, node, [started, ...args], { endsWithUs: true })
  else await step(failure, 'npm', args)
}
