import { join } from 'node:path'
import { recordAudit } from '#server/audit/public.ts'
import { inChunks } from '#server/kit/in-chunks.ts'
import { updateCounts } from '#server/media/counts.sql.ts'
import { findParts } from '#server/media/media.sql.ts'
import { enqueuePrepare } from '#server/media/prepare/orders.ts'
import { Refusal } from '#server/cli/command.ts'
import { showProgress } from '#server/cli/progress.ts'
import { type Copy, copyOf, type Template } from './copy-of.ts'
import { openLinker } from './links.ts'
import { randomFrom } from './random.ts'
import type { SeedDeps } from './real-files.ts'
import { insertAllParts, insertFiles, readyFiles, type SeedState, writeState } from './seed.sql.ts'
import { type StoryFile, sceneOfReal, tellStory } from './story.ts'

/** Both engines bound the number of values in one statement; a file has some 35, and so have its parts. */
const AT_ONCE = 400

/** Adds files up to `wanted` whose rows are their own and whose bytes are those of the real ones. */
export async function addCopies(
  deps: SeedDeps,
  state: SeedState,
  { wanted, rowsOnly }: { wanted: number; rowsOnly: boolean },
): Promise<void> {
  const link = openLinker(join(deps.config.dataFolder, 'files'))
  const rowAndPartsOf = await openDescriber(deps, state)

  async function* batches(): AsyncGenerator<Copy[]> {
    for (const files of inChunks(tellStory(state.files, wanted, new Date(deps.clock())), AT_ONCE)) {
      deps.signal.throwIfAborted()
      const copies: Copy[] = []
      for (const file of files) copies.push(await rowAndPartsOf(file))
      if (!rowsOnly) await link(copies.flatMap(copy => copy.links))
      yield copies
    }
  }

  const progress = showProgress(deps.out, 'Adding', { files: wanted - state.files, bytes: 0 })
  let { files } = state
  for await (const copies of oneAhead(batches())) {
    files += copies.length
    await write(deps, copies, { ...state, files })
    progress.add(copies.length, 0)
  }
  progress.end()
}

/** One transaction for all: rows, parts, counts, audit lines, jobs, and how far it came. */
async function write({ db, queue }: SeedDeps, copies: Copy[], state: SeedState): Promise<void> {
  await db.transaction(async tx => {
    const ids = await insertFiles(
      tx,
      copies.map(copy => copy.row),
    )
    const added = copies.map((copy, i) => ({ ...copy, id: ids[i] ?? 0 }))
    await insertAllParts(
      tx,
      added.flatMap(({ id, parts }) => parts.map(part => ({ ...part, media_id: id }))),
    )
    const live = copies.filter(({ row }) => row.deleted_at === null)
    await updateCounts(
      tx,
      live.map(({ row: { file_type, file_size, folder_id = null } }) => ({ file_type, file_size, folder_id })),
      1,
    )
    await recordAudit(
      tx,
      added.map(({ id, row }) => ({
        at: row.uploaded_at,
        actorId: row.uploaded_by,
        act: 'media.upload',
        subject: { type: 'media', id },
      })),
    )
    for (const { id, row } of added) if (row.status === 'processing') await enqueuePrepare(queue, tx, { ...row, id })
    await writeState(tx, state)
  })
}

type Describer = (file: StoryFile) => Promise<Copy>

async function openDescriber(deps: SeedDeps, state: SeedState): Promise<Describer> {
  const templates = await readTemplates(deps, state)
  const placeName = rememberPlaces(deps)
  return async file => {
    const alike = templates.filter(template => template.scene === file.scene)
    const template = randomFrom(file.number, 4).pick(alike.length > 0 ? alike : templates)
    return copyOf(template, file, {
      now: deps.clock(),
      folderId: await deps.folderFor(file.folders),
      uploaderId: deps.relativeIds[file.uploader] ?? 0,
      location: await placeName(file),
    })
  }
}

async function readTemplates({ db }: SeedDeps, { real }: SeedState): Promise<(Template & { scene: string })[]> {
  const files = await readyFiles(db.query, real)
  if (files.length === 0)
    throw new Refusal('None of the painted pictures could be prepared, so there is nothing to share.')
  const parts = await findParts(db.query, real)
  return files.map(media => ({
    media,
    parts: parts.get(media.id) ?? [],
    scene: sceneOfReal(real.indexOf(media.id)),
  }))
}

/** By the kilometre: an event stays about where it is, and looking a place up takes its time. */
function rememberPlaces({ tools }: SeedDeps): (file: StoryFile) => Promise<string | null> {
  const names = new Map<string, Promise<string | undefined>>()
  return async ({ metadata }) => {
    const { latitude, longitude } = metadata ?? {}
    if (latitude == null || longitude == null) return null
    const at = `${latitude.toFixed(2)} ${longitude.toFixed(2)}`
    const name = names.get(at) ?? tools.placeName(latitude, longitude)
    names.set(at, name)
    return (await name) ?? null
  }
}

/** Has the next one made while this one is being used. */
async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  for (let next = source.next(); ; ) {
    const { done, value } = await next
    if (done) return
    next = source.next()
    // Should this one's use fail, nobody asks for the next, and its failure is no news.
    next.catch(() => undefined)
    yield value
  }
}
