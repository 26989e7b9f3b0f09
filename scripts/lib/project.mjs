import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** @param {string[]} parts */
export const inProject = (...parts) => join(root, ...parts)

/** Where Node keeps what it made of the sources, which takes a third off every later start. */
export const compileCache = { NODE_COMPILE_CACHE: inProject('node_modules', '.cache', 'compiled') }

/**
 * How the server is started. Its youngest objects get 4 MB a half: left to itself, Node lets them take 32 on every thread, and
 * an evening's chat among a hundred people adds a hundred megabytes that a small machine has better uses for.
 */
export const serverArguments = ['--max-semi-space-size=4', inProject('server', 'src', 'main.ts')]

/** What `npm run dev` passes on to the server. Everything else is a page, `/auth/callback` too. */
export const serverPaths = '^/(api|files|zip|demo|healthz|metrics|auth(?!/callback))(?=[/?]|$)'

/** Something the person can act on: shown as its sentence, without a stack trace. */
export class Failure extends Error {}

/**
 * The Node that the product runs on, whichever one the machine has. It comes with the dependencies, so ask only once
 * they are installed.
 */
export function projectNode() {
  const pinned = inProject('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  throw new Failure(
    'Node 24 did not come with the dependencies (is ignore-scripts set for npm?). Install Node 24 or later and try again.',
  )
}
