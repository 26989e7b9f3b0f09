import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commandContext, emptyMachine, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { filmedAt, h264, picture } from '../../../test/processing/video-clips.ts'
import { createContext } from '../../context.ts'
import { systemClock } from '../../kit/clock.ts'
import { deleteFiles } from '../../media/edit.ts'
import { admit } from '../../people/public.ts'
import { noopLog } from '../command.ts'
import { importTree } from './import.ts'

vi.setConfig({ testTimeout: 60_000 })

const make = await clipMaker()
const TAKEN = '2024-06-01T12:34:56'

/** A library with one person and a folder of photos to import. */
async function newLibrary() {
  const config = await emptyMachine('sqlite')
  const photos = await temporaryFolder()
  const context = await createContext(config, { clock: systemClock, log: noopLog })
  onTestFinished(() => context.close())
  const identity = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
  const lists = { admins: [identity.email], members: [] }
  await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, identity))
  const run = async () => {
    const { out, signal } = commandContext(config)
    const options = { folder: photos, as: undefined, again: false, listAll: false }
    return (await importTree(context, options, { out, signal })).tally
  }
  const parts = () =>
    rowsOf(
      config,
      `select original_name, kind, key, size from media join media_parts on media_id = media.id order by 1, 2 desc`,
    )
  return { config, context, photos, run, parts }
}

test('an import takes a still and its clip for one file, and a longer film for another', async () => {
  const { config, photos, run, parts } = await newLibrary()
  const [still, clip] = [
    await makePicture({ takenAt: TAKEN }),
    await make('clip.mov', ...picture('160x120', 1), ...h264, ...filmedAt(TAKEN)),
  ]
  const film = await make('film.mov', ...picture('160x120', 8), ...h264, ...filmedAt(TAKEN))
  await mkdir(join(photos, 'Phone'))
  const lay = (name: string, bytes: Uint8Array | string) => writeFile(join(photos, 'Phone', name), bytes)
  await lay('IMG_1.JPG', still)
  await lay('IMG_1.MOV', clip)
  await lay('IMG_2.JPG', await makePicture({ takenAt: TAKEN }))
  await lay('IMG_2.MOV', film)
  await lay('IMG_3.JPG', 'no photo')
  await lay('IMG_3.MOV', 'no film')
  expect(await run()).toMatchObject({ added: 3, addedBytes: expect.any(Number), alreadyThere: 0 })
  const found = await parts()
  expect(found.map(part => [part.original_name, part.kind])).toEqual([
    ['IMG_1.JPG', 'original'],
    ['IMG_1.JPG', 'motion'],
    ['IMG_2.JPG', 'original'],
    ['IMG_2.MOV', 'original'],
  ])
  const stored = (part: (typeof found)[number] | undefined) =>
    readFile(join(config.dataFolder, 'files', String(part?.key)))
  expect(await stored(found[0])).toEqual(still)
  expect(await stored(found[1])).toEqual(clip)

  expect(await run()).toMatchObject({ added: 0, alreadyThere: 4 })
  expect(await parts()).toEqual(found)
})

test('a clip that was copied later than its still joins it', async () => {
  const { photos, run, parts } = await newLibrary()
  await writeFile(join(photos, 'IMG_1.jpg'), await makePicture({ takenAt: TAKEN }))
  expect(await run()).toMatchObject({ added: 1 })
  await writeFile(
    join(photos, 'IMG_1.mov'),
    await make('late.mov', ...picture('160x120', 1), ...h264, ...filmedAt(TAKEN)),
  )
  expect(await run()).toMatchObject({ added: 0, alreadyThere: 1 })
  expect((await parts()).map(part => part.kind)).toEqual(['original', 'motion'])
})

test('a clip that becomes a separate file is remembered and counted as one', async () => {
  const { config, context, photos, run } = await newLibrary()
  const film = (comment: string) =>
    make('clip.mov', ...picture('160x120', 1), ...h264, ...filmedAt(TAKEN), '-metadata', `comment=${comment}`)
  const [still, other] = [await makePicture({ takenAt: TAKEN }), await film('the second')]
  await writeFile(join(photos, 'IMG_1.jpg'), still)
  await writeFile(join(photos, 'IMG_1.mov'), await film('the first'))
  await run()
  const idOf = async (name: string) =>
    Number((await rowsOf(config, `select id from media where original_name = '${name}'`))[0]?.id)
  const [admin] = await rowsOf(config, 'select id from people')
  const remove = async (name: string) => deleteFiles(context, Number(admin?.id), { fileIds: [await idOf(name)] })
  await remove('IMG_1.jpg')

  // The photo is restored from the trash, where it already has a clip.
  for (const name of ['IMG_1.jpg', 'IMG_1.mov']) await rm(join(photos, name))
  await writeFile(join(photos, 'copy.jpg'), still)
  await writeFile(join(photos, 'copy.mov'), other)
  expect(await run()).toMatchObject({ added: 2, addedBytes: still.length + other.length, alreadyThere: 0 })
  expect(await run()).toMatchObject({ added: 0, alreadyThere: 2, deletedSince: 0 })
  await remove('copy.mov')
  expect(await run()).toMatchObject({ added: 0, alreadyThere: 1, deletedSince: 1 })
})

test('an import knows pairs by every name that phones give them, and leaves apart what only shares a name', async () => {
  const { photos, run, parts } = await newLibrary()
  let clips = 0
  const film = (...args: string[]) =>
    make('clip.mov', ...picture('160x120', 1), ...h264, '-metadata', `comment=${++clips}`, ...args)
  for (const [still, clip] of [
    ['IMG_1.jpg', 'IMG_1_HEVC.MOV'],
    ['IMG_2.jpg', 'IMG_2.MP4'],
    ['PXL_3.MP.jpg', 'PXL_3.MP'],
  ] as const) {
    await writeFile(join(photos, still), await makePicture({ takenAt: TAKEN }))
    await writeFile(join(photos, clip), await film(...filmedAt(TAKEN)))
  }
  await writeFile(join(photos, 'QuickTime.jpg'), await makePicture({ takenAt: TAKEN }))
  await writeFile(join(photos, 'QuickTime.mov'), await film(...filmedAt('2019-03-04T05:06:07')))
  expect(await run()).toMatchObject({ added: 5, alreadyThere: 0, skipped: new Map() })
  expect((await parts()).map(part => [part.original_name, part.kind])).toEqual([
    ...['IMG_1.jpg', 'IMG_2.jpg', 'PXL_3.MP.jpg'].flatMap(name => [
      [name, 'original'],
      [name, 'motion'],
    ]),
    ['QuickTime.jpg', 'original'],
    ['QuickTime.mov', 'original'],
  ])
  expect(await run()).toMatchObject({ added: 0 })
})
