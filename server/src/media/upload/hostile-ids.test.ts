import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { type Remains, remainsAtRest } from '../../../test/fixtures/remains.ts'
import {
  asFile,
  beginResumable,
  finish,
  idOfUpload,
  photoForm,
  plainForm,
  send,
  sendResumable,
  untilPrepared,
  uploadFile,
} from '../../../test/fixtures/uploads.ts'
import { type Library, onOneEngine, type SignedIn } from '../../../test/library.ts'

const idFields = ['uploadId', 'convertedUploadId', 'motionUploadId'] as const

/** A snapshot of everything that an id could delete. */
async function stateOf(library: Library): Promise<Pick<Remains, 'stored' | 'uploads' | 'owned' | 'auditLines'>> {
  const { stored, uploads, owned, auditLines } = await remainsAtRest(library)
  return { stored, uploads, owned, auditLines }
}

/** Ids that refer to real files outside the uploads folder, or are nearly valid. */
async function hostileIds(library: Library, attacker: SignedIn): Promise<string[]> {
  const own = await library.idOf(attacker.person)
  const [original] = await library.rows("select key from media_parts where kind = 'original' limit 1")
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
  return [
    '../heirloom.db',
    `../files/${original?.key}`,
    `..\\files\\${original?.key}`,
    `${own}-${'../'.repeat(12)}`,
    `${own}-${uuid}/../../heirloom.db`,
    `${own}-${uuid}.json`,
    `${own}-${uuid.toUpperCase()}`,
    `${own}-${'_'.repeat(36)}`,
    `0${own}-${uuid}`,
    `${own}-${uuid}\n`,
    ` ${own}-${uuid}`,
    '..',
    '.',
    '/etc/passwd',
    `${own}-`,
    ' ',
    '%2e%2e%2fheirloom.db',
    '１-0f8fad5b-d9cb-469f-a165-70867728950e',
  ]
}

onOneEngine('the id of an upload', library => {
  test('that is a path or of another shape is refused, with nothing changed, whichever part it names', async () => {
    const rose = await library().newMember()
    const victim = await uploadFile(await memberOf(library()), { name: 'victim.jpg' })
    await untilPrepared(rose, victim.id)
    const finished = await sendResumable(rose, await makePicture())
    const { files } = await finish(rose, { originalName: 'a.jpg', uploadId: finished })
    await untilPrepared(rose, files[0]?.id ?? 0)
    const unfinished = await sendResumable(rose, await makePicture())
    const before = await stateOf(library())
    const picture = await makePicture()
    for (const [i, id] of (await hostileIds(library(), rose)).entries()) {
      for (const field of idFields) {
        for (const uploadId of [finished, unfinished]) {
          const fields = { originalName: 'a.jpg', uploadId, [field]: id }
          const refused = {
            status: 404,
            code: 'not_found',
            message: expect.stringContaining('There is no such upload'),
          }
          await expect(finish(rose, fields), `${field} ${id}`).rejects.toMatchObject(refused)
        }
      }
      // Forms use the same code; a few ids suffice.
      if (i > 2) continue
      const beside = plainForm('b.jpg', picture, { convertedUploadId: id })
      await expect(send(rose, beside)).rejects.toMatchObject({ status: 404 })
      const photo = photoForm('c.jpg', picture, {}, { motionUploadId: id })
      await expect(send(rose, photo)).rejects.toMatchObject({ status: 404 })
    }
    expect(await stateOf(library())).toEqual(before)
    if (!library().config.databaseUrl) {
      const database = await readFile(join(library().config.dataFolder, 'heirloom.db'))
      expect(database.subarray(0, 15).toString()).toBe('SQLite format 3')
    }
    expect((await library().anyone.fetch('/healthz')).status).toBe(200)
    await expect(finish(rose, { originalName: 'd.jpg', uploadId: unfinished })).resolves.toMatchObject({ files: [{}] })
  })

  test("of another's upload is refused beside a finished one of one's own, and that upload stays", async () => {
    const [ben, rose] = [await memberOf(library()), await library().newMember()]
    const theirs = [await sendResumable(ben, await makePicture()), idOfUpload(await beginResumable(ben, 1_000))]
    const finished = await sendResumable(rose, await makePicture())
    const { files } = await finish(rose, { originalName: 'mine.jpg', uploadId: finished })
    await untilPrepared(rose, files[0]?.id ?? 0)
    const before = await stateOf(library())
    for (const id of theirs) {
      for (const field of idFields) {
        const fields = { originalName: 'mine.jpg', uploadId: finished, [field]: id }
        await expect(finish(rose, fields)).rejects.toMatchObject({ status: 404 })
      }
      // If one file of a form is rejected, the other uploads stay unchanged.
      const form = plainForm('one.jpg', await makePicture())
      form.append('files', asFile(await makePicture()), 'two.jpg')
      form.append('fileMetadata', JSON.stringify({ originalName: 'two.jpg', motionUploadId: id }))
      await expect(send(rose, form)).rejects.toMatchObject({ status: 404 })
    }
    expect(await stateOf(library())).toEqual(before)
    await expect(finish(ben, { originalName: 'his.jpg', uploadId: theirs[0] })).resolves.toMatchObject({ files: [{}] })
  })
})
