import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSandbox, type SandboxMode } from './open-sandbox.ts'

const root = mkdtempSync(join(tmpdir(), 'heirloom-open-sandbox-'))
const folder = join(root, 'exchange')
afterAll(() => rmSync(root, { recursive: true }))

/** Opens a sandbox with a PATH that contains only a fake bubblewrap, or nothing. */
function openWith(mode: SandboxMode, script?: string) {
  const searchPath = mkdtempSync(join(root, 'path-'))
  if (script) writeFileSync(join(searchPath, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return openSandbox({ mode, folder, hidden: [], searchPath })
}

const refusing = 'echo "bwrap: No permissions to create new namespace" >&2; exit 1'
/** A fake bubblewrap that runs the program without any confinement. */
const pretending = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'

test('without bubblewrap the partial level is used, and the admins read what that means', async () => {
  const { sandbox, warning } = await openWith('auto')
  expect(sandbox.level).toBe('partial')
  expect(warning).toBe(
    'The programs that read photos and videos run in a partial sandbox: ffmpeg, exiftool and native decoders are not confined, and nothing is cut off from the network. bubblewrap is not installed (on Debian and Ubuntu: apt-get install bubblewrap).',
  )
})

test('a bubblewrap that may not create namespaces is not used, as in many containers', async () => {
  const { sandbox, warning } = await openWith('auto', refusing)
  expect(sandbox.level).toBe('partial')
  expect(warning).toContain(
    'bubblewrap is installed but does not work here (bwrap: No permissions to create new namespace).',
  )
})

test('a bubblewrap that starts programs but does not confine them is not believed', async () => {
  const { sandbox, warning } = await openWith('auto', pretending)
  expect(sandbox.level).toBe('partial')
  expect(warning).toContain('a test program could still access other files')
})

test.each([undefined, refusing, pretending])('where the sandbox is required, nothing less will do', async script => {
  await expect(openWith('require', script)).rejects.toThrow(
    /^SANDBOX is "require", but the sandbox does not work here: bubblewrap is /,
  )
})

test('where the sandbox is off, nothing is tried and the admins still know', async () => {
  const { sandbox, warning } = await openWith('off')
  expect(sandbox.level).toBe('none')
  expect(warning).toContain('The setting SANDBOX is "off".')
})

test('a trial leaves nothing behind', async () => {
  await openSandbox({ mode: 'auto', folder, hidden: [], searchPath: process.env.PATH })
  expect(readdirSync(folder)).toEqual([])
})
