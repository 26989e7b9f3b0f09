import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/cli-tools.ts'
import { connect } from '../db/database.ts'
import { installationSecret } from '../db/secrets.ts'

const launcher = fileURLToPath(new URL('../../../scripts/cli.mjs', import.meta.url))

/** Like `npm run` with a working directory. */
async function run(cwd: string, settings: Record<string, string>, ...args: string[]) {
  const env = { ...process.env, ...settings, INIT_CWD: cwd }
  const program = spawn(process.execPath, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { out: '', err: '' }
  program.stdout.on('data', chunk => {
    output.out += chunk
  })
  program.stderr.on('data', chunk => {
    output.err += chunk
  })
  const [code] = await once(program, 'close')
  return { code, ...output }
}

test('a command that is called wrongly explains itself', async () => {
  const folder = await temporaryFolder()
  expect(await run(folder, {}, 'import')).toMatchObject({
    code: 1,
    err: expect.stringContaining('npm run import -- FOLDER'),
  })
  expect(await run(folder, {}, 'seed', '--cuont', '5')).toMatchObject({
    code: 1,
    err: expect.stringContaining("'--cuont'"),
  })
  expect(await run(folder, {}, 'backup', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--verify') })
}, 60_000)

test('paths are relative to the working directory, and a wrong setting is named', async () => {
  const folder = await temporaryFolder()
  const settings = { DATA_DIR: join(folder, 'data') }
  await mkdir(settings.DATA_DIR)
  const db = await connect({ url: undefined, dataFolder: settings.DATA_DIR })
  await installationSecret(db, 'file-signing')
  await db.close()
  const backup = await run(folder, settings, 'backup', 'copies/today')
  expect(backup).toMatchObject({ code: 0, out: expect.stringContaining('Backed up 0 files') })
  expect(await readdir(join(folder, 'copies/today'))).toContain('snapshots')

  const wrong = await run(folder, { ...settings, PORT: 'none' }, 'backup', 'copies/today')
  expect(wrong).toMatchObject({ code: 1, err: 'PORT must be a number.\n' })
}, 60_000)
