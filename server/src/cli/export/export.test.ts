import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExifTool } from 'exiftool-vendored'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addAlbumComment, createAlbum, reorderAlbum, updateAlbum } from '#contract/albums.ts'
import { changeDates } from '#contract/dates.ts'
import { createFolder } from '#contract/folders.ts'
import { heartFile } from '#contract/hearts.ts'
import { captionMedia, deleteMedia, moveFiles } from '#contract/media.ts'
import { addNote } from '#contract/notes.ts'
import { correctPlaces } from '#contract/places.ts'
import { addTag, tagsOfFile } from '#contract/tags.ts'
import { commandContext, emptyMachine, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { FIRST_MIGRATION } from '../../../test/extra-migrations.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { filesBelow, untilAtRest } from '../../../test/fixtures/remains.ts'
import { asFile, plainForm, send, uploadFile } from '../../../test/fixtures/uploads.ts'
import { type Library, onBothEngines, onOneEngine, type SignedIn } from '../../../test/library.ts'
import { filmedAt, h264, picture } from '../../../test/processing/video-clips.ts'
import { createContext } from '../../context.ts'
import { connect } from '../../db/database.ts'
import { systemClock } from '../../kit/clock.ts'
import { handlePrepareJobs } from '../../media/prepare/prepare.ts'
import { admit } from '../../people/public.ts'
import { noopLog } from '../command.ts'
import { importTree } from '../import/import.ts'
import { exportCommand } from './command.ts'
import { exportLibrary } from './export.ts'
import type { ExportFilter } from './filter.ts'

vi.setConfig({ testTimeout: 120_000 })

const make = await clipMaker()
const hostile = 'Tom & Jerry <b>"say"</b> ]]> 1 < 2\u0007'

async function usernameOf(library: Library, { person }: SignedIn): Promise<string> {
  const [row] = await library.rows(`select username from people where id = ${await library.idOf(person)}`)
  return String(row?.username)
}

onBothEngines('an export', library => {
  const exportTo = (folder: string) => exportLibrary(commandContext(library().config), folder)
  const json = async (folder: string, path: string) => JSON.parse(await readFile(join(folder, path), 'utf8'))

  test('has every file with all that is known of it, and an import takes it in again', async () => {
    const [ada, ben] = [await library().admin(), await library().newMember({ name: 'Ben' })]
    const bytes = await makePicture({ takenAt: '2023-03-04T10:11:12' })
    const dated = await uploadFile(ada, { name: 'IMG_1.jpg', bytes })
    const second = await uploadFile(ada, {
      name: 'img_1.JPG',
      bytes: await makePicture({ takenAt: '2023-03-04T10:11:12' }),
    })
    const scan = await uploadFile(ada, { name: 'Scan: "Oma"?.jpg' })
    const undated = [await uploadFile(ada, { name: '.hidden.jpg' }), await uploadFile(ada, { name: '.jpg' })]
    const gone = await uploadFile(ada, { name: 'gone.jpg' })
    const live = plainForm('IMG_9.JPG', await makePicture({ takenAt: '2024-06-01T12:34:56' }))
    const clip = await make('clip.mov', ...picture('160x120', 1), ...h264, ...filmedAt('2024-06-01T12:34:56'))
    live.append('files', asFile(clip), 'motion_IMG_9.JPG')
    await send(ada, live)
    await ada.call(deleteMedia, { params: { id: gone.id } })
    await untilAtRest(library())
    // The clock of the camera, which is doubtful, is not that of a date in the name.
    await library().rows(`update media set date_source = 'name', taken_offset = 120 where id = ${second.id}`)
    await ada.call(changeDates, { body: { fileIds: [scan.id], change: { kind: 'set', edtf: '1950~' } } })
    await ada.call(correctPlaces, { body: { fileIds: [scan.id], place: { latitude: 48.8584, longitude: -2.2945 } } })
    for (const tagName of ['Oma & Opa', 'either/or']) await ben.call(addTag, { params: scan, body: { tagName } })
    await ben.call(addNote, { params: scan, body: { content: hostile } })
    await ben.call(heartFile, { params: scan })
    await ben.call(captionMedia, { params: scan, body: { caption: '<Oma> & Opa' } })
    const { id: folderId } = await ada.call(createFolder, { body: { name: 'Albums of Oma' } })
    await ada.call(moveFiles, { body: { fileIds: [scan.id], folderId } })
    const fileIds = [dated.id, second.id, scan.id]
    const album = await ada.call(createAlbum, { body: { title: 'Best', description: 'Of all', fileIds } })
    await ada.call(updateAlbum, { params: album, body: { order: 'manual', cover_id: second.id } })
    await ada.call(reorderAlbum, { params: album, body: { fileIds: [dated.id], before: null } })
    await ben.call(addAlbumComment, { params: album, body: { content: 'Lovely' } })
    const newestFirst = await ada.call(createAlbum, { body: { title: 'Newest', fileIds: [dated.id, second.id] } })
    await ada.call(updateAlbum, { params: newestFirst, body: { order: 'newest' } })
    const [tag] = await ada.call(tagsOfFile, { params: scan })
    const [uploader, hearted_by] = [await library().idOf(ada.person), await library().idOf(ben.person)]
    const search = { type: 'image', folder_id: folderId, tag: tag?.id, uploader, hearted_by } as const
    const smart = await ada.call(createAlbum, { body: { title: 'Loved', search } })
    await ada.call(updateAlbum, { params: smart, body: { cover_id: scan.id } })

    const folder = join(await temporaryFolder(), 'export')
    const report = await exportTo(folder)
    expect(report).toMatchObject({ files: 13, problems: [] })
    const [first, other, old] = ['2023/2023-03/IMG_1.jpg', '2023/2023-03/img_1 (2).JPG', '1950/Scan_ _Oma__.jpg']
    const [newest, hidden] = ['2024/2024-06/IMG_9.JPG', 'undated/_hidden.jpg']
    const photos = [old, first, other, newest, hidden, 'undated/_.jpg']
    const described = photos.flatMap(path => [path, `${path}.xmp`, `${path}.JSON`, `previews/${path}.jpg`])
    const ofAll = ['README.txt', 'albums.json', 'checksums.b3', 'heirloom-export.json', 'index.html']
    const data = ['1950', '2023', '2024', 'library', 'texts', 'undated', 'viewer'].map(name => `data/${name}.js`)
    const beside = [...ofAll, ...data, 'data/viewer.css', '2024/2024-06/IMG_9.mov']
    expect(await filesBelow(folder)).toEqual([...described, ...beside].sort())
    expect(await readFile(join(folder, first))).toEqual(Buffer.from(bytes))
    const username = await usernameOf(library(), ben)
    expect(await json(folder, `${old}.JSON`)).toMatchObject({
      fileName: 'Scan: "Oma"?.jpg',
      latitude: 48.8584,
      longitude: -2.2945,
      description: '<Oma> & Opa',
      albums: [{ title: 'Best' }],
      tags: [{ value: 'either/or' }, { value: 'Oma & Opa' }],
      favorited: true,
      rating: 5,
      heirloom: {
        date: '1950~',
        dateSource: 'person',
        folder: 'Albums of Oma',
        uploadedBy: { name: 'Ada Okafor', username: 'ada' },
        hearts: [{ name: 'Ben', username }],
        notes: [
          {
            by: { name: 'Ben', username },
            at: expect.any(String),
            text: expect.stringContaining('Tom & Jerry'),
          },
        ],
        albums: [
          { title: 'Best', addedBy: { name: 'Ada Okafor', username: 'ada' }, addedAt: expect.any(String), guest: null },
        ],
      },
    })
    expect(await json(folder, `${first}.JSON`)).toMatchObject({ dateTaken: '2023-03-04T10:11:12', favorited: false })
    expect(await json(folder, `${other}.JSON`)).toMatchObject({ dateTaken: '2023-03-04T10:11:12' })
    const named = {
      type: 'image',
      folder: 'Albums of Oma',
      tag: tag?.name,
      uploader: 'Ada Okafor',
      hearted_by: 'Ben',
    }
    expect(await json(folder, 'albums.json')).toMatchObject([
      {
        ...{ title: 'Best', order: 'manual', cover: other, files: [old, other, first] },
        comments: [{ by: { name: 'Ben' }, text: 'Lovely' }],
      },
      { title: 'Newest', order: 'newest', cover: null, files: [other, first] },
      { title: 'Loved', search: named, cover: old, files: [] },
    ])

    const config = await emptyMachine('sqlite')
    const context = await createContext(config, { clock: systemClock, log: noopLog })
    onTestFinished(() => context.close())
    const rose = { issuer: 'https://id.example', subject: 'rose', email: 'rose@okafor.example', name: 'Rose' }
    await context.db.transaction(tx => admit(context.db, systemClock, { admins: [rose.email], members: [] }, tx, rose))
    const options = { folder, as: undefined, again: false, listAll: false }
    const { tally } = await importTree(context, options, commandContext(config))
    expect(tally.added).toBe(6)
    handlePrepareJobs(context.queue, context)
    await context.queue.start({ quick: 2, slow: 1 })
    await vi.waitFor(async () => expect(await rowsOf(config, 'select id from jobs')).toEqual([]), {
      timeout: 60_000,
      interval: 100,
    })
    const known =
      'select hash, caption, date_edtf, latitude, longitude from media where deleted_at is null order by hash'
    const before = await rowsOf(library().config, known)
    const after = await rowsOf(config, known)
    const rounded = (rows: typeof after) =>
      rows.map(({ latitude, longitude, ...row }) => ({
        ...row,
        place: [latitude, longitude].map(value => (value === null ? null : Number(value).toFixed(5))),
      }))
    // The import takes the time of the file for the date of an undated one.
    const isDated = (row: Record<string, unknown>) => undated.every(({ hash }) => row.hash !== hash)
    expect(rounded(after.filter(isDated))).toEqual(rounded(before.filter(isDated)))
    const tags = await rowsOf(config, 'select name from tags order by name')
    expect(tags).toEqual([{ name: 'Oma & Opa' }, { name: 'either/or' }])
    expect(await rowsOf(config, 'select content from comments')).toEqual([{ content: hostile.replace('\u0007', '') }])
    const parts = await rowsOf(config, `select key from media_parts where kind = 'motion'`)
    expect(parts).toHaveLength(1)
  })

  test('that was interrupted goes on, and reports what the library has lost', async () => {
    const ada = await library().admin()
    await uploadFile(ada, { name: 'whole.jpg' })
    const { id } = await uploadFile(ada, { name: 'damaged.jpg' })
    await untilAtRest(library())
    const folder = join(await temporaryFolder(), 'export')
    const context = commandContext(library().config)
    context.stop.abort()
    await expect(exportLibrary(context, folder)).rejects.toThrow()
    expect(await readdir(folder)).toContain('heirloom-export.json')
    // As if it had been copied by half.
    const copy = join(folder, 'undated', 'whole.jpg')
    await writeFile(join(folder, 'README.txt'), '')
    const [part] = await rowsOf(
      library().config,
      `select key from media_parts where kind = 'original' and media_id = ${id}`,
    )
    await appendFile(join(library().config.dataFolder, 'files', String(part?.key)), 'x')

    const report = await exportTo(folder)
    expect(report.problems).toEqual([{ path: 'undated/damaged.jpg', problem: 'damaged' }])
    expect(await readFile(copy)).not.toHaveLength(0)
    expect(await filesBelow(join(folder, 'damaged'))).toEqual(['undated/damaged.jpg'])
    await expect(exportTo(folder)).rejects.toThrow('is a complete export of')
    await expect(exportTo(join(library().config.dataFolder, 'export'))).rejects.toThrow('keep the export away')
    const older = await emptyMachine('sqlite')
    await mkdir(older.dataFolder)
    await (await connect({ url: undefined, dataFolder: older.dataFolder, schemaUpTo: FIRST_MIGRATION })).close()
    const target = join(await temporaryFolder(), 'export')
    await expect(exportLibrary(commandContext(older), target)).rejects.toThrow('is of an older Heirloom')
    const occupied = await temporaryFolder()
    await writeFile(join(occupied, 'letter.txt'), 'Dear Rose')
    await expect(exportTo(occupied)).rejects.toThrow('holds other things')
  })

  test('of an album, a folder, a day or a person has those files alone, and is verified by its checksums', async () => {
    const [ada, ben] = [await library().admin(), await library().newMember({ name: 'Ben' })]
    const [one, two] = [await uploadFile(ada, { name: 'one.jpg' }), await uploadFile(ben, { name: 'two.jpg' })]
    const three = await uploadFile(ben, { name: 'three.jpg' })
    await untilAtRest(library())
    const { id: folderId } = await ada.call(createFolder, { body: { name: 'Chosen' } })
    const inside = await ada.call(createFolder, { body: { name: 'Inside', parent_id: folderId } })
    await ada.call(moveFiles, { body: { fileIds: [two.id], folderId: inside.id } })
    const album = { title: 'Chosen', fileIds: [one.id, two.id] }
    await ada.call(createAlbum, { body: album })
    await ada.call(createAlbum, { body: { title: 'Without any of them', fileIds: [three.id] } })
    const photosOf = async (filter: ExportFilter) => {
      const folder = join(await temporaryFolder(), 'export')
      await exportLibrary(commandContext(library().config), folder, filter)
      return { folder, photos: (await filesBelow(join(folder, 'undated'))).filter(name => name.endsWith('.jpg')) }
    }
    const { folder, photos } = await photosOf({ album: 'chosen' })
    expect(photos).toEqual(['one.jpg', 'two.jpg'])
    expect((await photosOf({ folder: 'Chosen/' })).photos).toEqual(['two.jpg'])
    const byBen = await photosOf({
      album: 'Chosen',
      person: (await usernameOf(library(), ben)).toUpperCase(),
      since: '2020-01-01',
    })
    expect(byBen.photos).toEqual(['two.jpg'])
    expect(await json(byBen.folder, 'albums.json')).toMatchObject([{ title: 'Chosen', files: ['undated/two.jpg'] }])
    for (const filter of [{ album: 'x' }, { folder: 'x' }, { person: 'x' }, { since: 'x' }]) {
      await expect(photosOf(filter)).rejects.toThrow('“x”')
    }

    const context = { ...commandContext(library().config), args: [folder, '--verify'], cwd: '/' }
    expect(await exportCommand.run(context)).toBe(0)
    await appendFile(join(folder, 'undated/one.jpg'), 'x')
    await rm(join(folder, 'undated/two.jpg.xmp'))
    expect(await exportCommand.run(context)).toBe(1)
    expect(context.output.join('')).toContain('changed: undated/one.jpg\n')
    expect(context.output.join('')).toContain('missing: undated/two.jpg.xmp\n')
  })
})

onOneEngine('a sidecar of an export', library => {
  test('tells other programs what they understand', async () => {
    const [ada, ben] = [await library().admin(), await library().newMember({ name: 'Ben' })]
    const file = await uploadFile(ada, { name: 'lisbon.jpg' })
    await untilAtRest(library())
    for (const person of [ada, ben]) await person.call(heartFile, { params: file })
    await ben.call(captionMedia, { params: file, body: { caption: hostile } })
    await ben.call(addTag, { params: file, body: { tagName: 'Sea' } })
    await ben.call(addNote, { params: file, body: { content: 'Who is this?' } })
    await ben.call(changeDates, { body: { fileIds: [file.id], change: { kind: 'set', edtf: '1974-22' } } })
    const place = { latitude: 38.7139, longitude: -9.1394 }
    await ben.call(correctPlaces, { body: { fileIds: [file.id], place } })
    const folder = join(await temporaryFolder(), 'export')
    await exportLibrary(commandContext(library().config), folder)

    const exiftool = new ExifTool({ maxProcs: 1 })
    onTestFinished(() => exiftool.end())
    const path = join(folder, '1974/lisbon.jpg.xmp')
    const args = ['-n', '-warning', '-XMP:all']
    expect(await exiftool.readRaw(path, { readArgs: args })).toMatchObject({
      DateCreated: 1974,
      Description: hostile.replace('\u0007', ''),
      Subject: 'Sea',
      TagsList: 'Sea',
      HierarchicalSubject: 'Sea',
      Rating: 5,
      Location: expect.stringContaining('Lisbon'),
      GPSLatitude: expect.closeTo(place.latitude, 5),
      GPSLongitude: expect.closeTo(place.longitude, 5),
      LovedBy: ['Ada Okafor', 'Ben'],
      FamilyNotes: 'Who is this?',
      Edtf: '1974-22',
    })
    expect(await exiftool.readRaw(path, { readArgs: args })).not.toHaveProperty('Warning')
  })
})
