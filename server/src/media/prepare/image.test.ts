import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emptyMachine } from '../../../test/cli-tools.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { noopLog } from '../../cli/command.ts'
import { createContext } from '../../context.ts'
import { systemClock } from '../../kit/clock.ts'
import { newName, pathBelow } from '../../kit/safe-path.ts'
import { admit } from '../../people/public.ts'
import { ProcessingError, type ProcessingFailure } from '../../processing/errors.ts'
import { hashFile } from '../../processing/hash.ts'
import { findMedia } from '../media.sql.ts'
import { checkOriginal, noPictures } from '../upload/check-upload.ts'
import { storeUpload } from '../upload/store-upload.ts'
import { prepareImage } from './image.ts'
import { enqueuePrepare } from './jobs.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Prepares a PNG while the decoder that counts frames fails, and returns its row. */
async function prepareWhere(failure: ProcessingFailure) {
  const context = await createContext(await emptyMachine('sqlite'), { clock: systemClock, log: noopLog })
  onTestFinished(() => context.close())
  const ada = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
  await context.db.transaction(tx => admit(context.db, systemClock, { admins: [ada.email], members: [] }, tx, ada))
  const { id: uploaderId } = await context.db.query.selectFrom('people').select('id').executeTakeFirstOrThrow()
  const exif = { IFD2: { DateTimeOriginal: '2011:05:04 10:20:30' } }
  const bytes = await sharp(await makePicture())
    .withExif(exif)
    .png()
    .toBuffer()
  return context.scratch.withFolder(async folder => {
    const path = pathBelow(folder, newName())
    await writeFile(path, bytes)
    const original = { name: 'still.png', path, size: bytes.length, hash: await hashFile(path) }
    const taken = await storeUpload(
      { ...context, prepare: enqueuePrepare.bind(null, context.queue) },
      {
        name: 'still.png',
        original,
        format: await checkOriginal(context, { name: 'still.png', original, folderId: null }),
        metadata: null,
        folderId: null,
        fileDate: null,
        uploaderId,
        converted: undefined,
        pictures: noPictures,
      },
    )
    if (!('file' in taken)) throw new Error('It was there already.')
    const isAnimated = () => Promise.reject(new ProcessingError(failure, 'The frames could not be counted.'))
    const deps = { ...context, tools: { ...context.tools, isAnimated } }
    await writeFile(path, bytes)
    const task = { media: taken.file, path, folder, signal: new AbortController().signal, fromGuest: false }
    const error = await prepareImage(deps, task).catch(e => e)
    return { error, row: await findMedia(context.db.query, taken.file.id) }
  })
}

const taken = Date.UTC(2011, 4, 4, 10, 20, 30)

test('a photo whose frames cannot be counted is shown as one that does not move', async () => {
  const { error, row } = await prepareWhere('unreadable')
  expect(error).toBeUndefined()
  expect(row).toMatchObject({ status: 'ready', animated: 0, date_sort: taken })
})

test('a photo whose frames may be counted later is tried again, and has its date before that', async () => {
  const { error, row } = await prepareWhere('crashed')
  expect(error).toMatchObject({ failure: 'crashed' })
  expect(row).toMatchObject({ status: 'processing', date_sort: taken })
})
