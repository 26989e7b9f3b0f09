import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSandbox } from '#server/processing/sandbox/open-sandbox.ts'
import type { Sandbox } from '#server/processing/sandbox/sandbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-sandbox-'))
// Several test files of a process share it.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const opened = await openSandbox({ mode: 'auto', folder, hidden: [], searchPath: process.env.PATH })

/** The best sandbox level that works on this machine, as a server would use. */
export const sandboxHere: Sandbox = opened.sandbox

/** The sandbox warnings that a server on this machine reports. */
export const sandboxReport = {
  warnings: opened.warning === undefined ? [] : [opened.warning],
  sandbox: opened.sandbox.level,
}
