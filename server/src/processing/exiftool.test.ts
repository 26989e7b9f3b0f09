import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
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
