import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-sandbox-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const opened = await openSandbox({ mode: 'auto', folder, hidden: [], searchPath: process.env.PATH })

/** The best sandbox that works on this machine: what a server has here. */
export const sandboxHere: Sandbox = opened.sandbox

/** What a server on this machine reports of its sandbox. */
export const sandboxReport = {
  warnings: opened.warning === undefined ? [] : [opened.warning],
  sandbox: opened.sandbox.level,
}
