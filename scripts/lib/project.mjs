import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** @param {string[]} parts */
export const inProject = (...parts) => join(root, ...parts)

/** Node's compile cache, which makes every later start about a third faster. */
export const compileCache = { NODE_COMPILE_CACHE: inProject('node_modules', '.cache', 'compiled') }

/**
 * Arguments for starting the server. V8's young generation is limited to 4 MB per semi-space: the default of 32 MB on
 * each thread would cost a small machine about a hundred megabytes under chat load.
 */
export const serverArguments = ['--max-semi-space-size=4', inProject('server', 'src', 'main.ts')]

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
