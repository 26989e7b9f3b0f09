import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { logOut } from '#contract/auth.ts'
import { sendMessage, startDirect } from '#contract/chat.ts'
import { type Export, linkExport, listExports, removeExport, requestExport } from '#contract/exports.ts'
import { heartFile } from '#contract/hearts.ts'
import { bulkDelete } from '#contract/media.ts'
import { addNote } from '#contract/notes.ts'
import { commandContext, temporaryFolder } from '../../test/cli-tools.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { filesBelow } from '../../test/fixtures/remains.ts'
import { uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onBothEngines, type SignedIn } from '../../test/library.ts'
import { exportLibrary } from '../cli/export/export.ts'
import { createHasher } from '../processing/hash.ts'

vi.setConfig({ testTimeout: 240_000 })
const run = promisify(execFile)

/** Without jobs that change it meanwhile. */
async function stored(library: Library, file: { name: string; bytes: Buffer; date: number }): Promise<number> {
  const [id = 0] = await insertMedia(library, [{ name: file.name, size: file.bytes.length, date: file.date }])
  const [part] = await library.rows(`select key from media_parts where media_id = ${id}`)
  const path = join(library.config.dataFolder, 'files', String(part?.key))
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, file.bytes)
  const hasher = createHasher()
  hasher.update(file.bytes)
  await library.rows(`update media set hash = '${hasher.digest()}' where id = ${id}`)
  return id
}

async function prepared(person: SignedIn, { id }: { id: number }): Promise<Export> {
  return vi.waitFor(
    async () => {
      const found = (await person.call(listExports)).find(one => one.id === id)
      expect(found?.status).toBe('ready')
      return found as Export
    },
    { timeout: 200_000, interval: 200 },
  )
}

async function fetched(library: Library, url: string, part: number, range?: string): Promise<Response> {
  return library.anyone.fetch(`${url}&part=${part}`, range === undefined ? {} : { headers: { range } })
}

onBothEngines('a download in parts', library => {
  test('unpacks to the same folder as an export on the command line, and goes on anywhere', async () => {
    const [ada, ben] = [await library().admin(), await library().newMember({ name: 'Ben' })]
    const files: { id: number }[] = []
    for (let i = 0; i < 4; i++) {
      const bytes = Buffer.alloc(700_000, i)
      files.push({
        id: await stored(library(), { name: 'Großmutter "東京".jpg', bytes, date: Date.UTC(2020 + i, 2, 4) }),
      })
    }
    const [first] = files
    await ben.call(heartFile, { params: { id: first?.id ?? 0 } })
    await ben.call(addNote, { params: { id: first?.id ?? 0 }, body: { content: '</script><b>Who?' } })
    await ada.call(createAlbum, { body: { title: 'Best', fileIds: files.map(({ id }) => id) } })
    const request = { part_bytes: 1_600_000 }
    const { parts, files: count, title } = await prepared(ada, await ada.call(requestExport, { body: request }))
    expect(parts.length).toBeGreaterThan(1)
    expect(count).toBeNull()
    expect(parts[0]?.name).toBe(`${title} 1-${parts.length}.zip`)
    const [{ id } = { id: 0 }] = await ada.call(listExports)
    const { url } = await ada.call(linkExport, { params: { id } })

    const [zips, folder] = [await temporaryFolder(), join(await temporaryFolder(), 'unpacked')]
    await mkdir(folder)
    for (const [i, { size }] of parts.entries()) {
      const whole = Buffer.from(await (await fetched(library(), url, i + 1)).arrayBuffer())
      expect(whole.length).toBe(size)
      for (const start of [1, 1_000, 500_000, size - 10]) {
        const rest = await fetched(library(), url, i + 1, `bytes=${start}-${start + 99_999}`)
        expect([rest.status, rest.headers.get('content-range')]).toEqual([
          206,
          `bytes ${start}-${Math.min(start + 99_999, size - 1)}/${size}`,
        ])
        expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(start, start + 100_000))).toBe(true)
      }
      expect((await fetched(library(), url, i + 1, `bytes=${size}-`)).status).toBe(416)
      await writeFile(join(zips, `${i}.zip`), whole)
      await run('unzip', ['-q', '-o', join(zips, `${i}.zip`), '-d', folder], {
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
      await run('unzip', ['-tq', join(zips, `${i}.zip`)])
    }
    expect((await fetched(library(), url, parts.length + 1)).status).toBe(404)

    const expected = join(await temporaryFolder(), 'export')
    await exportLibrary(commandContext(library().config), expected)
    expect(await filesBelow(folder)).toEqual(await filesBelow(expected))
    for (const path of await filesBelow(expected)) {
      if (path === 'heirloom-export.json' || path === 'checksums.b3') continue
      expect([path, await readFile(join(folder, path))]).toEqual([path, await readFile(join(expected, path))])
    }
    const sums = async (of: string) => (await readFile(join(of, 'checksums.b3'), 'utf8')).split('\n').toSorted()
    expect(await sums(folder)).toEqual(await sums(expected))
    await rm(zips, { recursive: true })

    // The second time, all checksums are known, also of what is chosen alone.
    const chosen = { fileIds: [first?.id ?? 0], title: 'One', part_bytes: 1e9 }
    const one = await prepared(ben, await ben.call(requestExport, { body: chosen }))
    expect(one).toMatchObject({ files: 1, missing: 0, parts: [{ name: 'One 1-1.zip' }] })
  })

  test('has the chats of its person, and of nobody else', async () => {
    const [ada, ben, rose] = [
      await library().newMember({ name: 'Ada/1' }),
      await library().newMember({ name: 'Ben' }),
      await library().newMember({ name: 'Rose' }),
    ]
    await uploadFile(ada, { name: 'a.jpg' })
    const say = async (from: SignedIn, to: SignedIn, content: string) => {
      const { id } = await from.call(startDirect, { body: { otherUserId: await library().idOf(to.person) } })
      await from.call(sendMessage, { params: { id }, body: { content } })
    }
    await say(ada, ben, 'for Ben alone')
    await say(ada, rose, 'for Rose alone')
    const { id } = await prepared(ben, await ben.call(requestExport, { body: { part_bytes: 1e9 } }))
    const { url } = await ben.call(linkExport, { params: { id } })
    const zip = Buffer.from(await (await fetched(library(), url, 1)).arrayBuffer())
    expect(zip.includes('for Ben alone')).toBe(true)
    expect(zip.includes('chats/Ada_1.txt')).toBe(true)
    expect(zip.includes('for Rose alone')).toBe(false)
  })

  test('is for its person and session alone, of files that are there, one at a time', async () => {
    const [ada, ben] = [await library().newMember(), await library().newViewer()]
    const file = await uploadFile(ada, { name: 'mine.jpg' })
    const other = await uploadFile(ada, { name: 'gone.jpg' })
    await ada.call(bulkDelete, { body: { fileIds: [other.id] } })
    const order = (fileIds: number[]) => ben.call(requestExport, { body: { fileIds, part_bytes: 1e9 } })
    await expect(order([other.id])).rejects.toMatchObject({ status: 404 })
    const both = await Promise.allSettled([order([file.id, other.id]), order([file.id])])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [{ id } = { id: 0 }] = await ben.call(listExports)
    await prepared(ben, { id })
    for (const endpoint of [linkExport, removeExport]) {
      await expect(ada.call(endpoint, { params: { id } })).rejects.toMatchObject({ status: 404 })
    }
    const { url } = await ben.call(linkExport, { params: { id } })
    expect((await fetched(library(), url, 1)).status).toBe(200)
    expect((await fetched(library(), url.slice(0, -1), 1)).status).toBe(403)
    await ben.call(logOut)
    expect((await fetched(library(), url, 1)).status).toBe(403)
  })

  test('expires with what is stored of it, and says when a file is gone since', async () => {
    const ada = await library().newMember()
    const file = await uploadFile(ada, { name: 'lost.jpg' })
    const { id } = await prepared(ada, await ada.call(requestExport, { body: { fileIds: [file.id], part_bytes: 1e9 } }))
    const { url } = await ada.call(linkExport, { params: { id } })
    const [part] = await library().rows(`select key from media_parts where kind = 'original' and media_id = ${file.id}`)
    await rm(join(library().config.dataFolder, 'files', String(part?.key)))
    await expect(fetched(library(), url, 1).then(response => response.arrayBuffer())).rejects.toThrow()
    await vi.waitFor(async () => expect((await ada.call(listExports))[0]?.status).toBe('outdated'))
    await ada.call(removeExport, { params: { id } })
    expect(await filesBelow(join(library().config.dataFolder, 'files', 'exports')).catch(() => [])).not.toContain(
      `${id}/part-1.bin`,
    )
    expect(await ada.call(listExports)).toEqual([])
  })
})
