import { chmod, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openClipFolder } from '../../../test/processing/video-clips.ts'
import { canTranscode, describeFfmpeg, findFfmpeg } from './find-ffmpeg.ts'

const clipFolder = await openClipFolder()
afterAll(() => clipFolder[Symbol.asyncDispose]())

test('an ffmpeg tells its version and what it encodes', async () => {
  const ffmpeg = await describeFfmpeg(clipFolder.ffmpeg.path)
  expect(ffmpeg.version).toMatch(/\d/)
  expect(canTranscode(ffmpeg)).toBe(true)
})

test('a configured ffmpeg takes precedence over all others', async () => {
  const found = await findFfmpeg({ configuredPath: clipFolder.ffmpeg.path, searchPath: '/nowhere' })
  expect(found).toMatchObject({ path: clipFolder.ffmpeg.path, origin: 'configured' })
})

test('a configured path that holds no ffmpeg is refused by name, not passed over', async () => {
  await expect(findFfmpeg({ configuredPath: '/nowhere/ffmpeg' })).rejects.toThrow('/nowhere/ffmpeg')
  await expect(findFfmpeg({ configuredPath: '/bin/true' })).rejects.toThrow('/bin/true is not ffmpeg')
})

test('without one in the system, only that of the npm package can be found', async () => {
  const found = await findFfmpeg({ searchPath: '/nowhere' })
  if (found) expect(found.origin).toBe('package')
})

test("a system's ffmpeg without H.264 is used only where there is no better one", async () => {
  const path = clipFolder.at('ffmpeg')
  await writeFile(
    path,
    '#!/bin/sh\necho "ffmpeg version 6.1-free Copyright"\necho " A....D aac                  AAC"\n',
  )
  await chmod(path, 0o755)
  const found = await findFfmpeg({ searchPath: `relative:/nowhere:${dirname(path)}` })
  if (found?.origin === 'package') expect(canTranscode(found)).toBe(true)
  else
    expect(found).toMatchObject({ path, origin: 'system', version: '6.1-free', encodesH264: false, encodesAac: true })
})
