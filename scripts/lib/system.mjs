import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Failure } from './project.mjs'
import { step } from './run.mjs'

/** System programs that the tests need: how to find each, and the Debian packages that contain it. */
const programs = [
  // The headless shell draws no browser window: a page takes a third less CPU time.
  { name: 'Chromium', find: findHeadlessChromium, packages: ['chromium-headless-shell', 'fonts-liberation'] },
  { name: 'PostgreSQL', find: findPostgres, packages: ['postgresql'] },
  { name: 'Perl', find: () => findProgram('perl'), packages: ['perl'] },
  { name: 'ffmpeg', find: () => findProgram('ffmpeg'), packages: ['ffmpeg'] },
  { name: 'LibRaw', find: () => findProgram('dcraw_emu'), packages: ['libraw-bin'] },
  // For the sandbox, which exists only on Linux.
  { name: 'bubblewrap', find: findBubblewrap, packages: ['bubblewrap'] },
]

/** For tests that need an S3 store. */
const store = { name: 'Ceph', find: findCeph, packages: ['ceph-mon', 'ceph-osd', 'radosgw'] }

/**
 * Installs missing programs as root with apt-get; otherwise throws with the list of packages to install.
 * @param {{ withStore: boolean }} needs
 */
export async function ensureSystemPrograms({ withStore }) {
  const missing = [...programs, ...(withStore ? [store] : [])].filter(program => !program.find())
  if (missing.length === 0) return
  const names = missing.map(program => program.name).join(', ')
  const packages = missing.flatMap(program => program.packages)
  const apt = findProgram('apt-get')
  if (!apt || process.getuid?.() !== 0) {
    throw new Failure(
      `The tests need ${names}. Please install what is missing (on Debian: apt-get install ${packages.join(' ')}).`,
    )
  }

  console.error(`Installing ${names} for the tests.`)
  const failure = `${names} could not be installed: see what apt-get said above.`
  const quietly = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
  await step(failure, apt, ['-qq', 'update'], quietly)
  await step(failure, apt, ['-qq', 'install', '-y', '--no-install-recommends', ...packages], quietly)
  const stillMissing = missing.filter(program => !program.find()).map(program => program.name)
  if (stillMissing.length > 0) throw new Failure(`${stillMissing.join(', ')} is not to be found after installing it.`)
}

const HEADLESS_SHELL = 'chromium-headless-shell'

/** For benchmarks, which measure the browser that people use. */
export function findChromium() {
  return findBrowser(['chromium', 'chromium-browser', 'google-chrome', HEADLESS_SHELL])
}

/** For tests. */
export function findHeadlessChromium() {
  return findBrowser([HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome'])
}

/** @param {string[]} names */
function findBrowser(names) {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH)) throw new Failure(`CHROMIUM_PATH names no file: ${CHROMIUM_PATH}`)
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  return names.map(findProgram).find(Boolean)
}

function findBubblewrap() {
  return process.platform === 'linux' ? findProgram('bwrap') : 'not needed'
}

/**
 * The folder of `initdb` and `postgres`, which Debian does not put into PATH; the newest version if there are several.
 */
export function findPostgres() {
  const versions = '/usr/lib/postgresql'
  const folders = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : []
  return [...folders.map(version => join(versions, version, 'bin')), ...pathFolders()].find(folder =>
    ['initdb', 'postgres'].every(program => existsSync(join(folder, program))),
  )
}

/** The S3 store of the tests: all three programs of Ceph, or undefined. */
export function findCeph() {
  const found = ['ceph-mon', 'ceph-osd', 'radosgw'].map(findProgram)
  return found.every(Boolean) ? found[0] : undefined
}

/** @param {string} name */
function findProgram(name) {
  return pathFolders()
    .map(folder => join(folder, name))
    .find(existsSync)
}

function pathFolders() {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean)
}
