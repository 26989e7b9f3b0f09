import { createAlbum } from '#server/albums/albums.ts'
import { type Call, CommandError, noopLog } from '#server/cli/command.ts'
import { createContext } from '#server/context.ts'
import { openFolderFinder } from '#server/folders/public.ts'
import { admit } from '#server/people/public.ts'
import { addCopies } from './copies.ts'
import { addPreparedFiles, type SeedDeps } from './real-files.ts'
import { hasAlbums, holdsRealThings, readState, readyFiles, SEED_ISSUER, type SeedState } from './seed.sql.ts'
import { relatives } from './world.ts'

export interface SeedOptions {
  /** Number of files that the library should have afterwards. */
  count: number
  /** How many of them have their own bytes. */
  pictures: number
  /** The others get rows but no bytes. */
  rowsOnly: boolean
}

/** Fills a library with generated demo data. It only ever adds, and only to a library without real data. */
export async function seed(
  around: Pick<Call, 'config' | 'clock' | 'out' | 'signal'>,
  options: SeedOptions,
): Promise<void> {
  const { config, clock, out, signal } = around
  if (config.s3 && !options.rowsOnly) {
    throw new CommandError(
      'Seeded files share their bytes by links, which a store does not know. Say --rows-only, or leave S3_BUCKET out.',
    )
  }
  const context = await createContext(config, { clock, log: noopLog })
  try {
    if (await holdsRealThings(context.db.query)) {
      throw new CommandError(
        `The library in ${config.dataFolder} holds files or folders of real people. Seed another one: set DATA_DIR (and DATABASE_URL) to an empty place.`,
      )
    }
    const relativeIds = await inviteRelatives(context)
    const folderFor = await openFolderFinder(context, relativeIds[0] ?? 0)
    const deps: SeedDeps = { ...context, out, signal, folderFor, relativeIds }
    const real = Math.min(options.count, options.pictures)
    const state = await addPreparedFiles(deps, await readState(context.db.query), real)
    if (state.files < options.count) await addCopies(deps, state, { wanted: options.count, rowsOnly: options.rowsOnly })
    await addAlbums(deps, state)
  } finally {
    await context.close()
  }
}

async function inviteRelatives({ db, clock }: Pick<SeedDeps, 'db' | 'clock'>): Promise<number[]> {
  const lists = { admins: [], members: relatives.map(relative => relative.email) }
  return db.transaction(async tx => {
    const ids: number[] = []
    for (const { name, email } of relatives) {
      const person = await admit(db, clock, lists, tx, { issuer: SEED_ISSUER, subject: email, email, name })
      ids.push(person.id)
    }
    return ids
  })
}

/** Two albums of files with their own bytes, and one that fills itself. Only once: people may have deleted them since. */
async function addAlbums(deps: SeedDeps, { real }: SeedState): Promise<void> {
  const { db, config, relativeIds } = deps
  if (await hasAlbums(db.query)) return
  const ids = (await readyFiles(db.query, real)).map(file => file.id)
  const [mira = 0, tom = mira] = relativeIds
  const albumDeps = { ...deps, trashDays: config.trashDays }
  const best = { title: 'For the hall', description: 'The ones to print and frame.', fileIds: ids.slice(0, 24) }
  const gift = {
    title: 'Grandpa Joe’s birthday book',
    description: 'Fifteen years in one book. Please add what is missing.',
    fileIds: ids.filter((_, i) => i % 3 === 0),
  }
  await createAlbum(albumDeps, tom, { title: 'All our videos', description: '', search: { type: 'video' } })
  await createAlbum(albumDeps, tom, best)
  await createAlbum(albumDeps, mira, gift)
}
