import { rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listActivity, listActivityFiles, listFailedFiles, retryFailedFile, retryFailedFiles } from '#contract/admin.ts'
import { DAY } from '#contract/limits.ts'
import { checkDuplicate, deleteMedia, rehashMedia } from '#contract/media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onBothEngines } from '../../test/library.ts'

const soon = { timeout: 30_000 }

async function pathOfOriginal(library: Library, id: number): Promise<string> {
  const [part] = await library.rows(`select key from media_parts where kind = 'original' and media_id = ${id}`)
  return join(library.config.dataFolder, 'files', String(part?.key))
}

onBothEngines('a stored original', library => {
  test('that is what was uploaded is confirmed by its hash', async () => {
    const ben = await memberOf(library())
    const file = await uploadFile(ben)
    const confirm = (hash: string) => ben.call(rehashMedia, { params: { id: file.id }, body: { hash } })
    expect(await confirm(file.hash.toUpperCase())).toMatchObject({ id: file.id, hash: file.hash })
    await expect(confirm('nonsense')).rejects.toMatchObject({ status: 422 })
    await expect(ben.call(rehashMedia, { params: { id: 999_999 }, body: { hash: file.hash } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('is not called damaged because a client sends a wrong hash, and the duplicate check still knows it', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const file = await uploadFile(ben, { name: 'sound.jpg' })
    const wrong = { params: { id: file.id }, body: { hash: '0'.repeat(64) } }
    for (let tries = 0; tries < 3; tries++) {
      await expect(ben.call(rehashMedia, wrong)).rejects.toMatchObject({
        status: 409,
        code: 'conflict',
        message: expect.stringContaining('file itself was checked'),
      })
    }
    expect(await ada.call(listFailedFiles, { query: {} })).toEqual([])
    const found = await ben.call(checkDuplicate, { body: { hash: file.hash } })
    expect(JSON.stringify(found)).toContain(`"id":${file.id}`)
    expect(await library().rows(`select damaged_at from media where id = ${file.id}`)).toEqual([{ damaged_at: null }])
    const lines = await library().rows(
      `select id from audit_log where action = 'media.rehash' and subject_id = ${file.id}`,
    )
    expect(lines).toEqual([])
  })

  test.each(['right', 'wrong'])('that was changed is listed as damaged when somebody sends a %s hash', async which => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const bytes = await makePicture()
    const file = await uploadFile(ben, { name: 'suspect.jpg', bytes })
    // Preparing reads the bytes that are about to be changed.
    await untilPrepared(ben, file.id)
    const path = await pathOfOriginal(library(), file.id)
    await truncate(path, bytes.length - 1)
    const body = { hash: which === 'right' ? file.hash : '0'.repeat(64) }
    await expect(ben.call(rehashMedia, { params: { id: file.id }, body })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
    })
    const [problem] = await ada.call(listFailedFiles, { query: {} })
    expect(problem).toMatchObject({
      id: file.id,
      original_name: 'suspect.jpg',
      problem: 'damaged',
      reason: expect.stringContaining('not what was uploaded'),
    })
    await writeFile(path, bytes)
    await ada.call(retryFailedFile, { params: { id: file.id } })
    expect(await ada.call(listFailedFiles, { query: {} })).toEqual([])
    await expect(ada.call(retryFailedFile, { params: { id: file.id } })).rejects.toMatchObject({ status: 409 })
  })

  test('is read once in some minutes, however often its hash is sent, unless it was damaged', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const bytes = await makePicture()
    const file = await uploadFile(ben, { name: 'asked-for.jpg', bytes })
    await untilPrepared(ben, file.id)
    const path = await pathOfOriginal(library(), file.id)
    const confirm = () => ben.call(rehashMedia, { params: { id: file.id }, body: { hash: file.hash } })
    await Promise.all([confirm(), confirm(), confirm()])
    await truncate(path, 0)
    // Served from the cached result; reading the file would find it empty.
    await confirm()
    library().pass(10 * 60_000)
    await expect(confirm()).rejects.toMatchObject({ status: 409 })
    await expect(confirm()).rejects.toMatchObject({ status: 409 })
    expect(await ada.call(listFailedFiles, { query: {} })).toMatchObject([{ id: file.id, problem: 'damaged' }])
    // Restored from a backup: no admin needs to try it again.
    await writeFile(path, bytes)
    expect(await confirm()).toMatchObject({ hash: file.hash })
    expect(await ada.call(listFailedFiles, { query: {} })).toEqual([])
  })

  test('that is as it was again is prepared again, whatever hash a client sends', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const file = await uploadFile(ben, { name: 'restored.jpg' })
    await untilPrepared(ben, file.id)
    await library().rows(
      `update media set damaged_at = 1, status = 'failed', failed_at = 1, failure_reason = 'No' where id = ${file.id}`,
    )
    const wrong = { params: { id: file.id }, body: { hash: '0'.repeat(64) } }
    await expect(ben.call(rehashMedia, wrong)).rejects.toThrow('file itself was checked')
    expect(await ada.call(listFailedFiles, { query: {} })).toEqual([])
    expect(await untilPrepared(ben, file.id)).toMatchObject({ status: 'ready', failure_reason: null })
  })

  test.each([
    [
      'was changed',
      (path: string, bytes: Buffer) =>
        writeFile(
          path,
          bytes.map((byte, i) => (i === 99 ? byte ^ 1 : byte)),
        ),
    ],
    ['was cut off', (path: string, bytes: Buffer) => truncate(path, bytes.length - 1)],
    ['is empty', (path: string) => truncate(path, 0)],
    ['is gone', (path: string) => rm(path)],
  ] as const)(
    'that %s on the disk is found by the nightly reading, and healed once it is as it was',
    async (what, damage) => {
      const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
      const bytes = await makePicture()
      const file = await uploadFile(ben, { name: `${what}.jpg`, bytes })
      await untilPrepared(ben, file.id)
      const path = await pathOfOriginal(library(), file.id)
      await damage(path, bytes)
      library().pass(DAY + 1)
      const failedFiles = async () =>
        (await ada.call(listFailedFiles, { query: {} })).map(({ id, problem }) => ({ id, problem }))
      await expect.poll(failedFiles, soon).toEqual([{ id: file.id, problem: 'damaged' }])
      const [{ since } = { since: '' }] = await ada.call(listFailedFiles, { query: {} })
      await ada.call(retryFailedFile, { params: { id: file.id } })
      expect(await ada.call(listFailedFiles, { query: {} })).toMatchObject([{ id: file.id, since }])

      await writeFile(path, bytes)
      await ada.call(retryFailedFile, { params: { id: file.id } })
      expect(await failedFiles()).toEqual([])
    },
  )

  test('is tried again together with all others, in one call', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const bytes = await makePicture()
    const damaged = await uploadFile(ben, { name: 'damaged.jpg', bytes })
    const failed = await uploadFile(ben, { name: 'failed.jpg' })
    const deleted = await uploadFile(ben, { name: 'deleted.jpg' })
    for (const { id } of [damaged, failed, deleted]) await untilPrepared(ben, id)
    await library().rows(`update media set damaged_at = 1 where id = ${damaged.id}`)
    await library().rows(
      `update media set status = 'failed', failed_at = 1, failure_reason = 'No' where id in (${failed.id}, ${deleted.id})`,
    )
    await ben.call(deleteMedia, { params: { id: deleted.id } })
    expect(await ada.call(retryFailedFiles)).toEqual({ retried: 2, more: false })
    await expect.poll(() => ada.call(listFailedFiles, { query: {} }), soon).toEqual([])
    expect(await untilPrepared(ben, failed.id)).toMatchObject({ status: 'ready', failure_reason: null })
    const [line] = await ada.call(listActivity, { query: { limit: 1 } })
    expect(line).toMatchObject({ act: 'media.retry', files: 2 })
    const retried = await ada.call(listActivityFiles, { params: { id: line?.id ?? 0 }, query: {} })
    expect(retried.map(file => file.media_id)).toEqual([damaged.id, failed.id])
    expect(await library().rows(`select status from media where id = ${deleted.id}`)).toEqual([{ status: 'failed' }])
    expect(await ada.call(retryFailedFiles)).toEqual({ retried: 0, more: false })
    await expect(ben.call(retryFailedFiles)).rejects.toMatchObject({ status: 403 })
  })

  test('is read by nobody but admins’ care: members see no list of problems', async () => {
    const ben = await memberOf(library())
    await expect(ben.call(listFailedFiles, { query: {} })).rejects.toMatchObject({ status: 403 })
    await expect(ben.call(retryFailedFile, { params: { id: 1 } })).rejects.toMatchObject({ status: 403 })
  })
})
