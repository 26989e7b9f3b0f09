import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { remainsOf, storageOf } from '../../test/fixtures/remains.ts'
import { type Library, onBothEngines } from '../../test/library.ts'
import type { Database } from '../db/database.ts'
import type { PartKind } from '../db/schema.ts'
import { newName, pathBelow, rootFolder, type SafePath } from '../kit/safe-path.ts'
import type { Storage } from '../storage/storage.ts'
import { insertParts } from './media.sql.ts'
import { clearPending, insertPending } from './pending-objects.sql.ts'
import { removeOrphans, storeThenCommit } from './store-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'heirloom-keep-'))
afterAll(() => rm(folder, { recursive: true }))

async function aFile(): Promise<SafePath> {
  const path = pathBelow(rootFolder(folder), newName())
  await writeFile(path, path)
  return path
}

interface Deps {
  db: Database
  storage: Storage
  clock: () => number
}

async function within(library: Library, work: (deps: Deps) => Promise<void>): Promise<void> {
  const storage = await storageOf(library)
  await withDatabase(library, db => work({ db, storage, clock: Date.now }))
}

/** Adds a stored key as a part of a file, as preparing does. */
function own({ db }: Deps, mediaId: number, kind: PartKind, key: string): Promise<void> {
  const facts = { size: 1, mime_type: 'image/jpeg', width: 1, height: 1 }
  return db.transaction(async tx => {
    await insertParts(tx, [{ media_id: mediaId, kind, key, ...facts }])
    await clearPending(tx, [key])
  })
}

onBothEngines('kept bytes', library => {
  test('are gone again when what should own them fails', async () => {
    await within(library(), async deps => {
      const files = [
        { key: `variants/a~${'a'.repeat(8)}/thumbnail-v1.jpg`, path: await aFile() },
        { key: `variants/a~${'a'.repeat(8)}/mobile-v1.jpg`, path: await aFile() },
      ]
      const failing = storeThenCommit(deps, files, () => Promise.reject(new Error('no')))
      await expect(failing).rejects.toThrow('no')
      expect(await remainsOf(library())).toMatchObject({ stored: [], pendingKeys: [] })
    })
  })

  test('may be none, where all that is to be kept is what was learned', async () => {
    await within(library(), async deps => {
      expect(await storeThenCommit(deps, [], async () => 'learned')).toBe('learned')
    })
  })

  test('of one run are not removed by a later one', async () => {
    await memberOf(library())
    const [id = 0] = await insertMedia(library(), [{ name: 'slow' }])
    await within(library(), async deps => {
      const keys = { first: 'variants/b~bbbbbbbb/thumbnail-v2.jpg', second: 'variants/b~bbbbbbbb/mobile-v2.jpg' }
      await storeThenCommit(deps, [{ key: keys.second, path: await aFile() }], () =>
        own(deps, id, 'mobile', keys.second),
      )
      const late = [
        { key: keys.first, path: await aFile() },
        { key: keys.second, path: await aFile() },
      ]
      await expect(storeThenCommit(deps, late, () => Promise.resolve())).rejects.toMatchObject({ code: 'conflict' })
      expect(await remainsOf(library())).toMatchObject({ stored: [keys.second], pendingKeys: [] })
    })
  })

  test('that a killed server had begun to write are swept, unless they are owned after all', async () => {
    await memberOf(library())
    const [id = 0] = await insertMedia(library(), [{ name: 'killed' }])
    await within(library(), async deps => {
      const before = (await remainsOf(library())).stored
      const [orphan, owned] = ['variants/c~cccccccc/thumbnail-v2.jpg', 'variants/c~cccccccc/mobile-v2.jpg']
      await storeThenCommit(deps, [{ key: owned, path: await aFile() }], () => own(deps, id, 'mobile', owned))
      await insertPending(deps.db.query, [orphan, owned], 1_000)
      await deps.storage.putFile(orphan, await aFile())
      expect(await removeOrphans(deps, 1_000)).toBe(0)
      expect(await removeOrphans(deps, 1_001)).toBe(1)
      expect(await remainsOf(library())).toMatchObject({ stored: [...before, owned].toSorted(), pendingKeys: [] })
    })
  })

  test('stay when the database went away while they were being owned: the sweep will know whose they are', async () => {
    await within(library(), async deps => {
      const before = (await remainsOf(library())).stored
      const key = 'variants/d~dddddddd/thumbnail-v1.jpg'
      const away = Object.assign(new Error('Connection terminated'), { code: '57P01' })
      await expect(storeThenCommit(deps, [{ key, path: await aFile() }], () => Promise.reject(away))).rejects.toBe(away)
      expect(await remainsOf(library())).toMatchObject({ stored: [...before, key].toSorted(), pendingKeys: [key] })
      await library().restart()
      expect(await remainsOf(library())).toMatchObject({ stored: before, pendingKeys: [] })
    })
  })
})
