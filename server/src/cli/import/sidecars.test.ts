import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExifTool, type WriteTags } from 'exiftool-vendored'
import sharp from 'sharp'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { imports } from '#contract/limits.ts'
import { commandContext, emptyMachine, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { otherEngine } from '../../../test/library.ts'
import { createContext } from '../../context.ts'
import { systemClock } from '../../kit/clock.ts'
import { handlePrepareJobs } from '../../media/prepare/prepare.ts'
import { admit } from '../../people/public.ts'
import { noopLog } from '../command.ts'
import { importTree } from './import.ts'
import { sidecarsByFile } from './sidecars.ts'

vi.setConfig({ testTimeout: 60_000 })

const writer = new ExifTool()
afterAll(() => writer.end())

test('a sidecar belongs to the file of its whole name, else of its stem', () => {
  const pairs = (...names: string[]) => Object.fromEntries(sidecarsByFile(names))
  expect(pairs('a.jpg', 'a.jpg.xmp', 'a.xmp')).toEqual({ 'a.jpg': 'a.jpg.xmp' })
  expect(pairs('B.CR2', 'b.XMP', 'B.JPG')).toEqual({ 'B.CR2': 'b.XMP', 'B.JPG': 'b.XMP' })
  expect(pairs('a.jpg', 'b.xmp', 'a1.xmp')).toEqual({})
  expect(pairs('IMG_12', 'IMG_1.xmp')).toEqual({})
  expect(pairs('IMG_12', 'img_12.xmp')).toEqual({ IMG_12: 'img_12.xmp' })
  const [composed, decomposed] = ['Zoë.jpg'.normalize('NFC'), 'Zoë.xmp'.normalize('NFD')]
  expect(pairs(composed, decomposed)).toEqual({ [composed]: decomposed })
})

describe.each(otherEngine)('an import with sidecars (%s)', engine => {
  async function newLibrary() {
    const config = await emptyMachine(engine)
    const photos = await temporaryFolder()
    const context = await createContext(config, { clock: systemClock, log: noopLog })
    onTestFinished(() => context.close())
    const ada = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
    await context.db.transaction(tx => admit(context.db, systemClock, { admins: [ada.email], members: [] }, tx, ada))
    const { out, signal } = commandContext(config)
    const options = { folder: photos, as: undefined, again: false, listAll: false }
    return {
      config,
      photos,
      run: async () => (await importTree(context, options, { out, signal })).tally,
      /** Prepares the imported files, as the server does when it starts. */
      async prepare() {
        handlePrepareJobs(context.queue, context)
        await context.queue.start({ quick: 2, slow: 1 })
        const left = () => rowsOf(config, 'select id from jobs')
        await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 50_000, interval: 100 })
      },
    }
  }

  const sidecar = (path: string, tags: Record<string, string | string[]>) => writer.write(path, tags as WriteTags)
  const photo = async () =>
    sharp(await makePicture())
      .withExif({ IFD0: { Make: 'Epson' }, IFD2: { DateTimeOriginal: '2020:01:02 10:11:12' } })
      .jpeg()
      .toBuffer()

  test('takes date and place from them, keywords as tags and the description as the caption', async () => {
    const { config, photos, run, prepare } = await newLibrary()
    await writeFile(join(photos, 'corrected.jpg'), await photo())
    await sidecar(join(photos, 'corrected.jpg.xmp'), {
      'XMP-exif:DateTimeOriginal': '1985:07:12 15:16:17',
      'XMP-exif:GPSLatitude': '48.8584',
      'XMP-exif:GPSLongitude': '2.2945',
      'XMP-digiKam:TagsList': ['Places/Paris', 'Family'],
      'XMP-dc:Description': 'On the tower',
    })
    await writeFile(join(photos, 'month.jpg'), await photo())
    await sidecar(join(photos, 'month.xmp'), { 'XMP-photoshop:DateCreated': '1985:07' })
    await writeFile(join(photos, 'same.jpg'), await photo())
    await sidecar(join(photos, 'same.jpg.xmp'), { 'XMP-exif:DateTimeOriginal': '2020:01:02 10:11:12' })
    await writeFile(join(photos, 'orphan.xmp'), '<x/>')
    const tally = await run()
    expect(tally.added).toBe(3)
    expect(tally.skipped.get('not a photo or video')).toEqual([join(photos, 'orphan.xmp')])
    await prepare()

    const rows = await rowsOf(
      config,
      'select original_name, date_sort, date_source, date_precision, taken_local, location, camera from media order by 1',
    )
    expect(rows.map(row => [row.original_name, Number(row.date_sort), row.date_source, row.date_precision])).toEqual([
      ['corrected.jpg', Date.UTC(1985, 6, 12, 15, 16, 17), 'sidecar', 'time'],
      ['month.jpg', expect.closeTo(Date.UTC(1985, 6, 16, 12), -8), 'sidecar', 'month'],
      ['same.jpg', Date.UTC(2020, 0, 2, 10, 11, 12), 'metadata', 'time'],
    ])
    expect(rows[0]?.location).toMatch(/France$/)
    expect(rows.map(row => row.camera)).toEqual(['Epson', 'Epson', 'Epson'])
    expect(rows[1]?.taken_local).toBeNull()
    const parts = await rowsOf(config, `select key from media_parts where kind = 'sidecar' order by 1`)
    expect(parts).toHaveLength(3)
    expect(String(parts[0]?.key)).toMatch(/^originals\/.*\.xmp$/)
    const tags = await rowsOf(config, 'select name from tags join media_tags on tag_id = tags.id order by 1')
    expect(tags.map(({ name }) => name)).toEqual(['Family', 'Paris'])
    const captions = await rowsOf(config, 'select caption, caption_source from media order by original_name')
    expect(captions).toEqual([
      { caption: 'On the tower', caption_source: 'photo' },
      ...Array.from({ length: 2 }, () => ({ caption: null, caption_source: null })),
    ])
    expect(await rowsOf(config, 'select content from comments')).toEqual([])
    expect(await run()).toMatchObject({ added: 0, alreadyThere: 3 })
  })

  test('makes a description of several lines a caption and a note, and reads a title where there is none', async () => {
    const { config, photos, run, prepare } = await newLibrary()
    await writeFile(join(photos, 'long.jpg'), await photo())
    await sidecar(join(photos, 'long.jpg.xmp'), { 'XMP-dc:Description': 'The picnic\nRose fell into the lake.' })
    await writeFile(join(photos, 'titled.jpg'), await photo())
    await sidecar(join(photos, 'titled.jpg.xmp'), { 'XMP-dc:Title': 'The wedding' })
    await writeFile(join(photos, 'spaced.jpg'), await photo())
    await sidecar(join(photos, 'spaced.jpg.xmp'), { 'XMP-dc:Description': 'Rose  at the lake.' })
    await run()
    await prepare()
    const captions = await rowsOf(config, 'select caption from media order by original_name')
    expect(captions).toEqual([{ caption: 'The picnic' }, { caption: 'Rose at the lake.' }, { caption: 'The wedding' }])
    const notes = await rowsOf(config, 'select content from comments')
    expect(notes).toEqual([{ content: 'The picnic\nRose fell into the lake.' }])
  })

  test('adds what a sidecar says to a photo that an import stopped in between has taken in without it', async () => {
    const { config, photos, run } = await newLibrary()
    await writeFile(join(photos, 'stopped.jpg'), await photo())
    await run()
    // Simulates a crash after the commit, before its tags and the import cache were written.
    const stop = () => rm(join(config.dataFolder, 'imported.db'))
    await stop()
    await sidecar(join(photos, 'stopped.xmp'), { 'XMP-dc:Subject': ['Family'], 'XMP-dc:Description': 'On the tower' })
    const words = async () => [
      await rowsOf(config, 'select name from tags join media_tags on tag_id = tags.id'),
      await rowsOf(config, 'select caption from media'),
    ]
    expect(await words()).toEqual([[], [{ caption: null }]])
    for (const _time of ['first', 'second']) {
      expect(await run()).toMatchObject({ added: 0, alreadyThere: 1 })
      expect(await words()).toEqual([[{ name: 'Family' }], [{ caption: 'On the tower' }]])
      await stop()
    }
  })

  test('stores no control characters of a sidecar', async () => {
    const { config, photos, run } = await newLibrary()
    await writeFile(join(photos, 'escapes.jpg'), await photo())
    const path = join(photos, 'escapes.jpg.xmp')
    await sidecar(path, { 'XMP-dc:Subject': ['Fam0ily'], 'XMP-dc:Description': 'On0 the tower' })
    const text = await readFile(path, 'utf8')
    // exiftool writes none of these characters, but reads all of them.
    await writeFile(path, text.replaceAll(/(Fam|On)0/g, '$1&#27;[2J&#0;&#x9b;'))
    expect(await run()).toMatchObject({ added: 1 })
    const tags = await rowsOf(config, 'select name from tags join media_tags on tag_id = tags.id')
    expect(tags).toEqual([{ name: 'Fam[2Jily' }])
    expect(await rowsOf(config, 'select caption from media')).toEqual([{ caption: 'On[2J the tower' }])
  })

  test('takes in a photo whose sidecar is empty, broken or far too large', async () => {
    const { config, photos, run, prepare } = await newLibrary()
    const broken = { empty: '', broken: '<x:xmpmeta <<', large: 'x'.repeat(imports.sidecarBytes + 1) }
    for (const [name, content] of Object.entries(broken)) {
      await writeFile(join(photos, `${name}.jpg`), await photo())
      await writeFile(join(photos, `${name}.jpg.xmp`), content)
    }
    expect(await run()).toMatchObject({ added: 3 })
    await prepare()
    const rows = await rowsOf(config, 'select date_source, status from media')
    expect(rows).toEqual(Array(3).fill({ date_source: 'metadata', status: 'ready' }))
  })
})
