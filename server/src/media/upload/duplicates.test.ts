import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFailedFiles } from '#contract/admin.ts'
import { createFolder } from '#contract/folders.ts'
import { checkDuplicate, deleteMedia, getMedia, rehashMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { expectNoOrphans, remainsAtRest } from '../../../test/fixtures/remains.ts'
import { plainForm, send, untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { type Library, onBothEngines } from '../../../test/library.ts'

/** Where the original of a file lies on the disk. */
async function pathOfOriginal(library: Library, id: number): Promise<string> {
  const [part] = await library.rows(`select key from media_parts where kind = 'original' and media_id = ${id}`)
  return join(library.config.dataFolder, 'files', String(part?.key))
}

onBothEngines('bytes that the library holds', library => {
  test('are not stored again: the answer names the file', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const bytes = await makePicture()
    const file = await uploadFile(ben, { name: 'first.jpg', bytes })
    await untilPrepared(ben, file.id)
    const before = await remainsAtRest(library())
    expect(await send(rose, plainForm('second.jpg', bytes))).toEqual({
      files: [],
      duplicates: [{ id: file.id, original_name: 'first.jpg', incomplete: false }],
    })
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test('are found by their hash before they are sent', async () => {
    const ben = await memberOf(library())
    const file = await uploadFile(ben, { name: 'known.jpg' })
    const ask = (hash: string) => ben.call(checkDuplicate, { body: { hash } })
    const named = { duplicates: [{ id: file.id, original_name: 'known.jpg', incomplete: false }] }
    expect(await ask(file.hash)).toEqual(named)
    expect(await ask(file.hash.toUpperCase())).toEqual(named)
    expect(await ask('0'.repeat(64))).toEqual({ duplicates: [] })
    await expect(ask('abc')).rejects.toMatchObject({ status: 422 })
    await ben.call(deleteMedia, { params: { id: file.id } })
    expect(await ask(file.hash)).toEqual({ duplicates: [] })
  })

  test('end as one file when several people send them at once', async () => {
    const people = await Promise.all([memberOf(library()), memberOf(library(), 'rose'), memberOf(library(), 'ada')])
    for (let round = 0; round < 5; round++) {
      const bytes = await makePicture()
      const sent = [...people, ...people].map((person, i) => send(person, plainForm(`race-${i}.jpg`, bytes)))
      const answers = await Promise.all(sent)
      expect(answers.flatMap(answer => answer.files)).toHaveLength(1)
      const ids = answers.flatMap(({ files, duplicates }) => [...files, ...duplicates].map(file => file.id))
      expect(ids).toHaveLength(6)
      expect(new Set(ids).size).toBe(1)
    }
    const everything = await people[0].call(listMedia, { query: {} })
    for (const { id } of everything.files) await untilPrepared(people[0], id)
    await expectNoOrphans(library())
    expect(everything.count).toBe(everything.files.length)
    expect(everything.stats.total).toBe(everything.files.length)
  })

  test('bring a deleted file back, into the folder they are sent to', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const bytes = await makePicture()
    const file = await uploadFile(ben, { name: 'phoenix.jpg', bytes })
    const folder = await ben.call(createFolder, { body: { name: `Ashes ${file.id}` } })
    const before = await ben.call(listMedia, { query: {} })
    await ben.call(deleteMedia, { params: { id: file.id } })
    const { files, duplicates } = await send(rose, plainForm('phoenix 2.jpg', bytes, { folderId: folder.id }))
    expect(duplicates).toEqual([])
    expect(files).toMatchObject([{ id: file.id, original_name: 'phoenix.jpg', folder_id: folder.id }])
    const after = await ben.call(listMedia, { query: {} })
    expect(after.stats).toEqual(before.stats)
    expect((await ben.call(listMedia, { query: { folder_id: folder.id } })).count).toBe(1)
  })

  test('heal the file when it was found damaged', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const bytes = await makePicture()
    const file = await uploadFile(ben, { name: 'rotten.jpg', bytes })
    await untilPrepared(ben, file.id)
    const path = await pathOfOriginal(library(), file.id)
    await writeFile(path, Buffer.concat([(await readFile(path)).subarray(0, -1), Buffer.of(0)]))
    const rehash = () => ben.call(rehashMedia, { params: { id: file.id }, body: { hash: file.hash } })
    await expect(rehash()).rejects.toMatchObject({ status: 409 })
    expect(await ada.call(listFailedFiles, { query: {} })).toMatchObject([{ id: file.id, problem: 'damaged' }])
    // A client that asks first must hear that it is worth sending.
    expect(await ben.call(checkDuplicate, { body: { hash: file.hash } })).toEqual({ duplicates: [] })

    const { files } = await send(ben, plainForm('rotten.jpg', bytes))
    expect(files).toMatchObject([{ id: file.id, status: 'ready' }])
    expect(await ada.call(listFailedFiles, { query: {} })).toEqual([])
    await expect(rehash()).resolves.toMatchObject({ id: file.id })
    const { download_url } = await ben.call(getMedia, { params: { id: file.id } })
    expect((await fetchFrom(library(), download_url)).bytes).toEqual(bytes)
    await library().restart()
    await expectNoOrphans(library())
  })
})
