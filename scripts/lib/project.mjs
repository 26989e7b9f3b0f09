import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** @param {string[]} parts */
export const inProject = (...parts) => join(root, ...parts)

/** Node's compile cache, which makes every later start about a third faster. */
export const compileCache = { NODE_COMPILE_CACHE: inProject('node_modules', '.cache', 'compiled') }

/**
 * Arguments for starting the server. V8's defaults are for machines with much memory: a young generation of 32 MB on each
 * thread, and a heap that grows to several times what is in use before it is collected.
 */
export const serverArguments = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  inProject('server', 'src', 'main.ts'),
]

/** By default glibc keeps a pool of freed memory for each thread, in which it is lost to the others. */
export const serverEnvironment = { ...compileCache, MALLOC_ARENA_MAX: '2' }

/** The paths that `npm run dev` proxies to the server. Everything else is a page, including `/auth/callback`. */
export const serverPaths = '^/(api|files|shared|zip|demo|healthz|metrics|auth(?!/callback))(?=[/?]|$)'

/** An error that the user can fix: shown as its message, without a stack trace. */
export class Failure extends Error {}

/**
 * The Node version that the product pins, independent of the system's. It is one of the dependencies, so call this
 * only after they are installed.
 */
export function projectNode() {
  const pinned = inProject('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  throw new Failure(
    'Node 24 did not come with the dependencies (is ignore-scripts set for npm?). Install Node 24 or later and try again.',
  )
}
