import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withLock } from './lock.mjs'
import { compileCache, inProject, projectNode, serverArguments } from './project.mjs'
import { attempt } from './run.mjs'

/** What the cache was filled from. In node_modules, so that a new installation fills it again. */
const stamp = join(compileCache.NODE_COMPILE_CACHE, 'filled-from')

/**
 * The cache belongs to the options of V8 too. The worker programs end at once without a server: outside of the sandbox,
 * where they can write the cache; inside, where they start many times, they can only read it.
 */
const programs = [
  [...serverArguments, '--fill-compile-cache'],
  [inProject('server', 'src', 'processing', 'images', 'decoder-worker.ts')],
  [inProject('server', 'src', 'processing', 'places-worker.ts')],
]

/**
 * Fills Node's compile cache after an installation and after every change. A program that finds a file of TypeScript
 * missing there loads the compiler, which takes a second and then some 15 MB on each thread for as long as it runs.
 */
export async function fillCompileCache() {
  const sources = digestOfSources()
  if (isFilledFrom(sources) || !isWritable(inProject()) || !isWritable(inProject('node_modules'))) return
  await withLock(async () => {
    if (isFilledFrom(sources)) return
    const node = projectNode()
    const codes = await Promise.all(programs.map(args => attempt(node, args, { env: compileCache })))
    // Everything works without the cache.
    if (codes.some(code => code !== 0)) return
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, sources)
  })
}

/** @param {string} sources */
function isFilledFrom(sources) {
  try {
    return readFileSync(stamp, 'utf8') === sources
  } catch {
    // It has never been filled.
    return false
  }
}

/**
 * False where the program is installed read-only.
 *
 * @param {string} folder
 */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    // What is not allowed, and why, makes no difference.
    return false
  }
}

/** By sizes and times, because all of their bytes would take longer to read than the cache saves. */
function digestOfSources() {
  const hash = createHash('sha256')
  for (const folder of ['server/src', 'contract/src', 'messages']) {
    const files = readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' }).filter(file =>
      /\.(ts|json)$/.test(file),
    )
    for (const file of files.sort()) {
      const { size, mtimeMs } = statSync(inProject(folder, file))
      hash.update(`${folder}/${file}\0${size}\0${mtimeMs}\0`)
    }
  }
  return hash.digest('hex')
}
