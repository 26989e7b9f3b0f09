import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClient } from '#client/client.ts'
import { uploadFile } from '#client/upload.ts'
import { type AppPasswordScope, createAppPassword } from '#contract/app-passwords.ts'
import { whoAmI } from '#contract/auth.ts'
import { createFolder } from '#contract/folders.ts'
import { uploads } from '#contract/limits.ts'
import { getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { temporaryFolder } from '../../../test/cli-tools.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { type Library, onOneEngine, type SignedIn } from '../../../test/library.ts'
import { hashFile } from '../../processing/hash.ts'
import { terminalOn, UsageError } from '../command.ts'
import { downloadCommand } from './download.ts'
import type { RemoteCommand } from './remote.ts'
import { searchCommand } from './search.ts'
import { uploadCommand } from './upload.ts'

async function passwordOf(person: SignedIn, scope: AppPasswordScope): Promise<string> {
  return (await person.call(createAppPassword, { body: { name: 'Script', scope } })).password
}

/** Runs a command as a program of its own would, with the password in the environment. */
function commandLine(library: Library, cwd: string) {
  const stateFolder = join(cwd, 'state')
  return async (command: RemoteCommand, password: string, ...args: string[]) => {
    const output: string[] = []
    const code = await command.runRemote({
      args,
      cwd,
      out: terminalOn({ write: text => output.push(text) }),
      signal: new AbortController().signal,
      settings: { url: library.url.href, password, stateFolder },
    })
    return { code, output: output.join('') }
  }
}

const largePhoto = async (width: number) =>
  Buffer.concat([await makePicture({ width }), Buffer.alloc(2 * uploads.chunkBytes, width)])

onOneEngine('the command line', library => {
  test('uploads folders, finds what it sent, and downloads it byte for byte', async () => {
    const person = await library().newMember()
    const [forUploads, forReading] = [await passwordOf(person, 'upload'), await passwordOf(person, 'read')]
    const folder = await person.call(createFolder, { body: { name: 'Lisbon', parent_id: null } })
    const cwd = await temporaryFolder()
    await mkdir(join(cwd, 'trip', 'day 2'), { recursive: true })
    await writeFile(join(cwd, 'trip', 'tram.jpg'), await makePicture({ width: 71 }))
    await writeFile(join(cwd, 'trip', 'day 2', 'tram.jpg'), await makePicture({ width: 72 }))
    await writeFile(join(cwd, 'trip', 'day 2', 'tram large.jpg'), await largePhoto(73))
    await writeFile(join(cwd, 'trip', 'list.txt'), 'bread')
    const run = commandLine(library(), cwd)

    const first = await run(uploadCommand, forUploads, 'trip', '--folder', 'lisbon')
    expect(first.output).toContain('Uploaded 3 files. 0 files were there already.')
    expect(first.output).toContain('list.txt: no photo or video')
    expect(first.code).toBe(0)
    const again = await run(uploadCommand, forUploads, 'trip/tram.jpg', 'trip/day 2')
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('0 files. 3 files were there already.') })
    const { files } = await person.call(listMedia, { query: { limit: 10, folder_id: folder.id } })
    expect(files.map(({ original_name }) => original_name).sort()).toEqual(['tram large.jpg', 'tram.jpg', 'tram.jpg'])

    const found = await run(searchCommand, forReading, 'tram')
    expect(found.output.trim().split('\n')).toHaveLength(3)
    const [line = ''] = (await run(searchCommand, forReading, 'tram', 'large', '--json')).output.split('\n')
    expect(JSON.parse(line)).toMatchObject({ original_name: 'tram large.jpg' })
    expect(await run(searchCommand, forReading, 'elephant')).toEqual({ code: 1, output: '' })

    const downloaded = await run(downloadCommand, forReading, 'tram', '--to', 'copies')
    expect(downloaded).toMatchObject({ code: 0, output: expect.stringContaining('Downloaded 3 files.') })
    const copies = await readdir(join(cwd, 'copies'))
    expect(copies).toHaveLength(3)
    const sent = ['trip/tram.jpg', 'trip/day 2/tram.jpg', 'trip/day 2/tram large.jpg']
    const hashes = (paths: string[]) => Promise.all(paths.map(path => hashFile(join(cwd, path))))
    expect((await hashes(copies.map(name => `copies/${name}`))).sort()).toEqual((await hashes(sent)).sort())
    // Run again it leaves what is whole, and never writes over another file.
    await appendFile(join(cwd, 'copies', 'tram large.jpg'), 'changed')
    const repeated = await run(downloadCommand, forReading, 'tram', '--to', 'copies')
    expect(repeated).toMatchObject({ code: 1, output: expect.stringContaining('2 files were there already.') })
    expect(repeated.output).toContain('tram large.jpg: another file of this name is there')
  })

  test('says what is wrong', async () => {
    const person = await library().newMember()
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'lake.jpg'), await makePicture({ width: 75 }))
    await writeFile(join(cwd, 'notes.txt'), 'no picture')
    const run = commandLine(library(), cwd)
    const reading = await passwordOf(person, 'read')
    const refused = await run(uploadCommand, reading, 'lake.jpg')
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining('lake.jpg: This app password can only read the library.'),
    })
    const uploading = await passwordOf(person, 'upload')
    expect((await run(uploadCommand, uploading, 'notes.txt')).code).toBe(1)
    await expect(run(uploadCommand, uploading, 'lake.jpg', '--folder', 'Nowhere')).rejects.toThrow(
      'no folder “Nowhere”',
    )
    await expect(run(searchCommand, 'wrong', 'lake')).rejects.toMatchObject({ status: 401 })
    await expect(run(searchCommand, '', 'lake')).rejects.toThrow(UsageError)
    await expect(run(downloadCommand, reading, 'lake')).rejects.toThrow('--to FOLDER')
  })
})

onOneEngine('the client', library => {
  test('goes on with a large upload where an earlier run was killed', async () => {
    const token = await passwordOf(await library().newMember(), 'upload')
    const path = join(await temporaryFolder(), 'large.jpg')
    await writeFile(path, await largePhoto(81))
    const bytes = await readFile(path)
    const file = { blob: new Blob([bytes]), name: 'large.jpg', hash: await hashFile(path) }
    const addresses = new Map<string, string>()
    const unfinished = {
      get: (hash: string) => addresses.get(hash),
      set: (hash: string, address: string | undefined) =>
        void (address === undefined ? addresses.delete(hash) : addresses.set(hash, address)),
    }
    const killed = new AbortController()
    const first = openClient({ url: library().url, token })
    const progress: number[] = []
    const onProgress = (count: number) => {
      progress.push(count)
      if (count === uploads.chunkBytes) killed.abort(new Error('killed'))
    }
    await expect(uploadFile(first, file, { unfinished, onProgress, signal: killed.signal })).rejects.toThrow('killed')
    expect(addresses.size).toBe(1)

    const patches: string[] = []
    const second = openClient({
      url: library().url,
      token,
      fetch: (input, init) => {
        if (init?.method === 'PATCH') patches.push(new Headers(init.headers).get('upload-offset') ?? '')
        return fetch(input, init)
      },
    })
    const { ids, duplicate } = await uploadFile(second, file, { unfinished })
    expect(duplicate).toBe(false)
    expect(patches[0]).toBe(String(uploads.chunkBytes))
    expect(addresses.size).toBe(0)
    const reading = openClient({ url: library().url, token })
    const media = await reading.call(getMedia, { params: { id: ids[0] ?? 0 } })
    expect(media).toMatchObject({ hash: file.hash, file_size: bytes.length })
  })

  test('sends its token to the library alone, and names the error of the server', async () => {
    const token = await passwordOf(await library().newMember(), 'read')
    const sent: (string | null)[] = []
    const client = openClient({
      url: library().url,
      token,
      fetch: (input, init) => {
        sent.push(new Headers(init?.headers).get('authorization'))
        return fetch(input, init)
      },
    })
    expect(await client.call(whoAmI)).toMatchObject({ role: 'member' })
    await expect(client.call(getMedia, { params: { id: 999_999 } })).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    })
    await expect(client.download('/files/unsigned')).rejects.toMatchObject({ status: 403 })
    expect(sent).toEqual([`Bearer ${token}`, `Bearer ${token}`, null])
    const nowhere = openClient({ url: 'http://127.0.0.1:9', token })
    await expect(nowhere.call(whoAmI)).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  })
})
