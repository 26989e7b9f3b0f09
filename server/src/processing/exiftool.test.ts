import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { isRunning } from '../../test/is-running.ts'
import { startMetadataReader } from './exiftool.ts'
import { nothingKnown } from './metadata.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-exiftool-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function photo(): Promise<string> {
  const path = join(folder, 'photo.jpg')
  writeFileSync(
    path,
    await sharp({ create: { width: 4, height: 3, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer(),
  )
  return path
}

function start(program: string) {
  const said: string[] = []
  const reader = startMetadataReader({ warn: sentence => said.push(sentence), program, timeoutMs: 1_000 })
  return { reader, said }
}

test('where exiftool cannot run, photos are taken in all the same, and the log says so once', async () => {
  const { reader, said } = start(join(folder, 'no-exiftool'))
  const path = await photo()
  expect(await reader.read(path)).toEqual(nothingKnown)
  expect(await reader.read(path)).toEqual(nothingKnown)
  await expect(reader.extractPreview(path, join(folder, 'preview.jpg'))).rejects.toMatchObject({
    failure: 'crashed',
    message: 'The preview inside this RAW file could not be taken out.',
  })
  expect(said).toEqual(['exiftool cannot run here (it needs perl): dates and places of photos will be missing.'])
  await reader.close()
})

test('an exiftool that hangs is given up on', async () => {
  const program = join(folder, 'hanging-exiftool')
  writeFileSync(program, '#!/bin/sh\n[ "$3" = -ver ] && echo 13.0 && exit\nexec sleep 60\n', { mode: 0o755 })
  const { reader, said } = start(program)
  expect(await reader.read(await photo())).toEqual(nothingKnown)
  expect(said).toEqual(['The metadata of a file could not be read.'])
  await reader.close()
})

test('exiftool ends with the server, even with one that is killed', async () => {
  const program = `
    import { startMetadataReader } from ${JSON.stringify(new URL('exiftool.ts', import.meta.url).href)}
    await startMetadataReader({ warn: console.error }).read(${JSON.stringify(await photo())})
    console.log('It has been read.')
    setInterval(() => {}, 1_000)`
  const server = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  const exiftool = Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8'))
  expect(isRunning(exiftool)).toBe(true)
  server.kill('SIGKILL')
  await vi.waitFor(() => expect(isRunning(exiftool)).toBe(false), { timeout: 15_000, interval: 100 })
})
