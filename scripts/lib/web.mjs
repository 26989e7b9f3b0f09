import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { withLock } from './lock.mjs'
import { inProject, projectNode } from './project.mjs'
import { step } from './run.mjs'

const page = inProject('web', 'dist', 'index.html')
/** Outside node_modules, so that a release can include it. */
const stamp = inProject('.cache', 'web-built-from')
/** Build output that a release contains in addition to the tracked files. */
export const builtPaths = ['web/dist', '.cache/web-built-from']

/** Whether the pages were built from the current sources, as in a release: then no build dependencies are installed. */
export function isWebBuilt() {
  return isBuiltFrom(digestOfSources())
}

/** Builds the web pages unless they are up to date. */
export async function ensureWebBuilt() {
  if (isWebBuilt()) return
  await withLock(async () => {
    const sources = digestOfSources()
    if (isBuiltFrom(sources)) return
    console.error('Building the web pages.')
    rmSync(stamp, { force: true })
    const vite = inProject('node_modules', 'vite', 'bin', 'vite.js')
    const failure = 'The web pages could not be built: see what Vite said above.'
    await step(failure, projectNode(), [vite, 'build', inProject('web'), '--logLevel=error'], { endsWithUs: true })
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, sources)
  })
}

/** @param {string} sources */
function isBuiltFrom(sources) {
  return existsSync(page) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources
}

/** The files that the pages are built from. */
export function webSources() {
  return [
    ...filesUnder('web'),
    ...filesUnder('contract'),
    ...filesUnder('messages'),
    'package.json',
    'package-lock.json',
  ]
}

function digestOfSources() {
  const hash = createHash('sha256')
  for (const file of webSources()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(inProject(file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  return readdirSync(inProject(folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return path === 'web/dist' ? [] : filesUnder(path)
      return entry.name.includes('.test.') ? [] : [path]
    })
}
