import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { emptyMachine, rowsOf } from '../../test/cli-tools.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { engines } from '../../test/library.ts'
import { noopLog } from '../cli/command.ts'
import type { Config } from '../config.ts'
import { type AppContext, createContext } from '../context.ts'
import { openFeatureDeps } from '../feature-deps.ts'
import { features } from '../features.ts'
import { unheartFiles } from '../hearts/hearts.ts'
import { systemClock } from '../kit/clock.ts'
import { captionFile } from '../media/captions.ts'
import { admit } from '../people/public.ts'
import { insertImport } from './imports.sql.ts'
import { type ImportFacts, type ImportItem, type ImportPlan, noFacts, type SourceFile } from './plan.ts'
import { importPlan } from './run-import.ts'
import { undoImport } from './undo-import.ts'

describe.each(engines)('an import (%s)', engine => {
  let config: Config
  let context: AppContext
  let ada: number

  beforeEach(async () => {
    config = await emptyMachine(engine)
    context = await createContext(config, { clock: systemClock, log: noopLog })
    onTestFinished(() => context.close())
    const lists = { admins: ['ada@okafor.example'], members: ['ben@okafor.example'] }
    for (const subject of ['ada', 'ben']) {
      const identity = { issuer: 'https://id.example', subject, email: `${subject}@okafor.example`, name: subject }
      await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, identity))
    }
    ada = Number((await rows(`select id from people where name = 'ada'`))[0]?.id)
  })

  const rows = (query: string) => rowsOf(config, query)

  function fileOf(bytes: Uint8Array, path: string): SourceFile {
    return {
      ...{ path, name: path.split('/').at(-1) ?? path, size: bytes.length, fingerprint: path, modifiedAt: null },
      async *open() {
        yield bytes
      },
    }
  }

  function itemOf(bytes: Uint8Array, path: string, facts: Partial<ImportFacts> = {}): ImportItem {
    return { file: fileOf(bytes, path), folders: [], albums: [], facts: { ...noFacts, ...facts } }
  }

  const trip = { key: 'trip', title: 'Trip', description: 'To the sea', comments: [] }

  async function run(items: ImportItem[], { again = false, signal = new AbortController().signal } = {}) {
    const plan: ImportPlan = { items, albums: [trip], problems: [], close: async () => {} }
    const importId = await context.db.transaction(tx =>
      insertImport(tx, { kind: 'takeout', source: '[]', person_id: ada, created_at: Date.now() }),
    )
    const deps = { ...context, trashDays: 30 }
    const options = { importId, kind: 'takeout', personId: ada, again, signal, progress: () => {} } as const
    return { importId, report: await importPlan(deps, plan, options) }
  }

  const facts: Partial<ImportFacts> = {
    date: { edtf: '1985-07' },
    place: { latitude: 36.75, longitude: -5.16 },
    description: 'Rose at the bridge\nIt was hot.',
    heart: true,
    tags: ['Archived'],
    people: ['Rose Okafor', 'Kofi'],
    comments: [
      { author: 'Ben', at: Date.UTC(2020, 0, 1), text: 'Lovely' },
      { author: 'Aunt Ines', at: null, text: 'Where is it?' },
    ],
    hearts: ['BEN', 'Aunt Ines'],
  }

  test('brings files with everything that its source knows of them', async () => {
    const item = itemOf(await makePicture(), 'a/one.jpg', facts)
    item.albums = [{ key: 'trip' }]
    const { report } = await run([item])
    expect(report).toMatchObject({ added: 1, already_here: 0, albums: 1, problems: [] })
    const [sidecar] = await rows(`select key from media_parts where kind = 'sidecar'`)
    const xmp = await readFile(`${config.dataFolder}/files/${sidecar?.key}`, 'utf8')
    expect(xmp).toContain('<heirloom:Edtf>1985-07</heirloom:Edtf>')
    expect(xmp).toContain('Rose at the bridge')
    expect(await rows('select person_id from hearts')).toHaveLength(2)
    expect((await rows('select name from imported_names order by name')).map(row => row.name)).toEqual([
      'Kofi',
      'Rose Okafor',
    ])
    expect((await rows('select name from tags')).map(row => row.name)).toEqual(['Archived'])
    const comments = await rows('select name, content from comments join people on people.id = author_id')
    expect(comments).toHaveLength(4)
    expect(comments).toEqual(
      expect.arrayContaining([
        { name: 'ada', content: 'Aunt Ines: Where is it?' },
        { name: 'ada', content: 'Rose at the bridge\nIt was hot.' },
        { name: 'ada', content: '♥ Aunt Ines' },
        { name: 'ben', content: 'Lovely' },
      ]),
    )
    expect(await rows('select title, description from albums')).toEqual([{ title: 'Trip', description: 'To the sea' }])
    expect(await rows(`select id from notifications where subject <> 'welcome'`)).toEqual([])
  })

  test('run again adds nothing, and keeps what people have changed since', async () => {
    const bytes = await makePicture()
    const item = itemOf(bytes, 'one.jpg', facts)
    item.albums = [{ key: 'trip' }]
    await run([item])
    const [{ id } = {}] = await rows('select id from media')
    await unheartFiles(context, ada, [Number(id)])
    await captionFile(context, ada, Number(id), { caption: null })
    const unread = { ...item, file: { ...item.file, open: () => expect.unreachable('it is known') } }
    expect((await run([unread])).report).toMatchObject({ added: 0, already_here: 1, completed: 0 })
    // The same bytes in another place of another export.
    expect((await run([itemOf(bytes, 'other/two.jpg', facts)])).report).toMatchObject({ added: 0, completed: 0 })
    expect(await rows('select caption from media')).toEqual([{ caption: null }])
    for (const [table, count] of Object.entries({ media: 1, hearts: 1, comments: 4, albums: 1, album_files: 1 })) {
      expect(await rows(`select * from ${table}`), table).toHaveLength(count)
    }
  })

  test('gives a file that was here what it lacked, and takes all of it back', async () => {
    const bytes = await makePicture()
    const here = await run([itemOf(bytes, 'one.jpg')])
    const again = itemOf(bytes, 'Takeout/one.jpg', facts)
    again.albums = [{ key: 'trip' }]
    const added = itemOf(await makePicture(), 'Takeout/two.jpg')
    added.editedFrom = again
    const { importId, report } = await run([again, added])
    expect(report).toMatchObject({ added: 1, already_here: 1, completed: 1 })
    const file = () =>
      rows(`select date_edtf, caption, latitude is null as nowhere from media where original_name = 'one.jpg'`)
    expect(await file()).toMatchObject([{ date_edtf: '1985-07', caption: 'Rose at the bridge' }])
    expect(await rows('select media_id from edited_versions')).toHaveLength(1)

    const deps = await openFeatureDeps(context, features, {
      aggregated: {} as Parameters<typeof openFeatureDeps>[2]['aggregated'],
      livePosition: () => undefined,
      trustedPushOrigin: undefined,
    })
    const signal = new AbortController().signal
    expect(await undoImport(deps, { importId, personId: ada, signal })).toEqual({ deleted: 1 })
    expect(await file()).toMatchObject([{ date_edtf: null, caption: null }])
    expect(await rows(`select original_name from media where deleted_at is null`)).toEqual([
      { original_name: 'one.jpg' },
    ])
    for (const table of ['hearts', 'media_tags', 'imported_names', 'edited_versions', 'import_albums']) {
      expect(await rows(`select * from ${table}`), table).toEqual([])
    }
    expect(await rows('select id from comments where deleted_at is null')).toEqual([])
    expect(await rows('select id from albums where deleted_at is null')).toEqual([])
    expect(await rows(`select media_id from import_files where import_id = ${here.importId}`)).toHaveLength(1)
  })

  test('does not bring back what people have deleted, unless asked to', async () => {
    const [bytes, item] = [await makePicture(), (b: Uint8Array, path: string) => itemOf(b, path)]
    await run([item(bytes, 'one.jpg')])
    await context.db.query.updateTable('media').set({ deleted_at: Date.now(), deleted_by: ada }).execute()
    const second = await run([item(bytes, 'one.jpg'), item(bytes, 'copy.jpg')])
    expect(second.report).toMatchObject({ added: 0, deleted_since: 2 })
    expect((await run([item(bytes, 'one.jpg')], { again: true })).report).toMatchObject({ added: 1, deleted_since: 0 })
  })

  test('names what it cannot read, and imports the rest', async () => {
    const [short, long] = [itemOf(await makePicture(), 'short.jpg'), itemOf(await makePicture(), 'long.jpg')]
    short.file.size += 1
    long.file.size -= 1
    const { report } = await run([
      short,
      itemOf(Buffer.from('Dear Rose'), 'letter.txt'),
      long,
      itemOf(await makePicture(), 'x.jpg'),
    ])
    expect(report.added).toBe(1)
    expect(report.problems).toEqual(
      [
        { path: 'short.jpg', reason: 'unreadable', detail: 'it ends too early' },
        { path: 'letter.txt', reason: 'not-a-photo-or-video' },
        { path: 'long.jpg', reason: 'unreadable', detail: 'it is larger than it says' },
      ].sort(
        (a, b) => report.problems.findIndex(p => p.path === a.path) - report.problems.findIndex(p => p.path === b.path),
      ),
    )
  })
})
